//! A ring buffer of fixed size.

const std = @import("std");
const math = @import("math/wrap.zig");

pub const Error = error{ Full, Empty };

/// Sizes that a table can have.
pub const primes = [_]u32{
    3,
    7,
    13,
    29,
    53,
    97,
    193,
    389,
    769,
    1543,
    3079,
    6151,
    12289,
    24593,
};

const usage =
    \\usage: ring [size]
    \\  { is not a brace here
    \\
;

/// Holds the last values that were pushed.
pub fn Ring(comptime T: type, comptime size: usize) type {
    return struct {
        items: [size]T = undefined,
        head: usize = 0,

        const Self = @This();

        pub fn push(self: *Self, item: T) void {
            self.items[self.head % size] = item;
            self.head += 1;
        }
    };
}

pub const Stats = struct {
    count: u64 = 0,
    name: []const u8,

    pub const Kind = enum(u8) {
        mean,
        median,

        pub fn label(self: Kind) []const u8 {
            return switch (self) {
                .mean => "mean",
                .median => "median",
            };
        }
    };

    /// Adds a value.
    pub fn add(self: *Stats, value: f64) error{Full}!void {
        if (self.count == std.math.maxInt(u64)) {
            return Error.Full;
        }
        self.count += 1;
        self.sum += value;
    }

    pub inline fn isEmpty(self: Stats) bool {
        return self.count == 0;
    }
};

const Tagged = union(enum) {
    number: f64,
    text: []const u8,
};

extern "c" fn time(now: ?*i64) i64;

var counter: usize = 0;

pub fn main() !void {
    const quote: u8 = '"';
    var ring = Ring(u8, 4){};
    ring.push(quote);
    std.debug.print("{d} {s}\n", .{ counter, usage });
}

test "the oldest value goes first" {
    var ring = Ring(u8, 2){};
    ring.push(1);
    ring.push(2);
    try std.testing.expectEqual(@as(usize, 2), ring.head);
}
