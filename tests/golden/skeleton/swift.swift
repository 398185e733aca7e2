import Foundation
#if canImport(UIKit)
import UIKit
#endif

/// The colours that a lamp can have.
let colours: [String: Int] = [
    "red": 0xff0000,
    "green": 0x00ff00,
    "blue": 0x0000ff,
    "white": 0xffffff,
    "black": 0x000000,
    "cyan": 0x00ffff,
    "yellow": 0xffff00,
    "magenta": 0xff00ff,
    "orange": 0xffa500,
    "pink": 0xffc0cb,
    "brown": 0xa52a2a,
    "grey": 0x808080,
    "olive": 0x808000,
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
        switch self {
        case .broken(let reason):
            return "broken: \(reason.isEmpty ? "no one knows (\(self))" : reason)"
        case .missing:
            return #"no "lamp" {"#
        }
    }
}

/// A lamp.
@objc(Lamp)
public final class Lamp: NSObject, Switchable {
    public private(set) var level = 0
    public var isOn = false {
        didSet {
            level = isOn ? 100 : 0
            handler?(.success(level))
            history.append(level)
        }
    }
    private var history: [Int] = []
    private var handler: Handler?

    lazy var title: String = {
        let name = "lamp"
        let number = history.count
        return "\(name) \(number)"
    }()

    public init(handler: Handler? = nil) {
        self.handler = handler
        super.init()
        history.reserveCapacity(16)
    }

    convenience init?(named name: String) {
        guard colours[name] != nil else { return nil }
        self.init()
        self.title = name
    }

    deinit {
        handler = nil
    }

    // Throws where there is no lamp.
    public func toggle() throws {
        guard level >= 0 else {
            throw LampError.missing
        }
        isOn.toggle()
    }

    class func make<T>(_ count: Int, from source: T) -> [Lamp]
        where T: Sequence, T.Element == String
    {
        var lamps: [Lamp] = []
        for name in source.prefix(count) {
            Lamp(named: name).map { lamps.append($0) }
        }
        return lamps
    }

    subscript(index: Int) -> Int { history[index] }

    static func == (left: Lamp, right: Lamp) -> Bool {
        let levels = left.level == right.level
        let states = left.isOn == right.isOn
        return levels && states
    }
}

extension Lamp {
    var text: String { """
        { level: \(level)
        """ }

    func describe() -> String {
        let parts = [title, text]
        let joined = parts.joined(separator: ", ")
        return joined
    }
}

struct Room<Light: Switchable> {
    let lights: [Light]
    func all(_ body: (Light) throws -> Void) rethrows { try lights.forEach(body) }
}
