import Foundation
#if canImport(UIKit)
import UIKit
#endif

/// The colours that a lamp can have.
let colours: [String: Int] = [
    "red": 0xff0000,
    "green": 0x00ff00,
    "blue": 0x0000ff,
    // ... (10 lines)
]

typealias Handler = (Result<Int, Error>) -> Void

/// Something that can be switched.
public protocol Switchable: AnyObject {
    var isOn: Bool { get set }
    func toggle() throws
}

enum LampError: Error {
    case broken(reason: String)
    case missing

    var text: String {
        // ... (6 lines)
    }
}

/// A lamp.
@objc(Lamp)
public final class Lamp: NSObject, Switchable {
    public private(set) var level = 0
    public var isOn = false {
        // ... (5 lines)
    }
    private var history: [Int] = []
    private var handler: Handler?

    lazy var title: String = {
        // ... (3 lines)
    }()

    public init(handler: Handler? = nil) {
        // ... (3 lines)
    }

    convenience init?(named name: String) {
        // ... (3 lines)
    }

    deinit {
        handler = nil
    }

    // Throws where there is no lamp.
    public func toggle() throws {
        // ... (4 lines)
    }

    class func make<T>(_ count: Int, from source: T) -> [Lamp]
        where T: Sequence, T.Element == String
    {
        // ... (5 lines)
    }

    subscript(index: Int) -> Int { history[index] }

    static func == (left: Lamp, right: Lamp) -> Bool {
        // ... (3 lines)
    }
}

extension Lamp {
    var text: String { """
        { level: \(level)
        """ }

    func describe() -> String {
        // ... (3 lines)
    }
}

struct Room<Light: Switchable> {
    let lights: [Light]
    func all(_ body: (Light) throws -> Void) rethrows { try lights.forEach(body) }
}
