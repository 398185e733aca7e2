//! A ring buffer of fixed size.

const std = @import("std");
const math = @import("math/wrap.zig");

pub const Error = error{ Full, Empty };

/// Sizes that a table can have.
pub const primes = [_]u32{
    3,
    7,
    13,
    // ... (11 lines)
};

const usage =
    \\usage: ring [size]
    \\  { is not a brace here
    \\
;

/// Holds the last values that were pushed.
pub fn Ring(comptime T: type, comptime size: usize) type {
    // ... (11 lines)
}

pub const Stats = struct {
    count: u64 = 0,
    name: []const u8,

    pub const Kind = enum(u8) {
        mean,
        median,

        pub fn label(self: Kind) []const u8 {
            // ... (4 lines)
        }
    };

    /// Adds a value.
    pub fn add(self: *Stats, value: f64) error{Full}!void {
        // ... (5 lines)
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
    // ... (4 lines)
}

test "the oldest value goes first" {
    // ... (4 lines)
}
