/*
 * An example under no particular licence.
 */
package org.example.shop;

import java.util.*;
import java.util.function.Function;
import static java.util.stream.Collectors.toList;

/**
 * A basket of goods. Not safe for threads.
 *
 * @param <T> what is sold
 */
@SuppressWarnings({"unchecked", "rawtypes"})
public final class Basket<T extends Comparable<T>> implements Iterable<T> {
    private static final int[] RATES = {
        0,
        3,
        5,
        // ... (11 lines)
    };

    private final Map<T, Integer> counts = new TreeMap<>();

    /** Orders goods by price. */
    private final Comparator<T> byPrice = (a, b) -> {
        // ... (3 lines)
    };

    static {
        // ... (3 lines)
    }

    public Basket(Collection<? extends T> goods) {
        // ... (4 lines)
    }

    /**
     * Adds some of a good.
     *
     * @throws IllegalArgumentException if there are fewer than one
     */
    public <R> R add(T good, int count, Function<? super T, R> then) throws IllegalArgumentException {
        // ... (5 lines)
    }

    void add(T good, int count) {
        add(good, count, Function.identity());
    }

    @Override
    public Iterator<T> iterator() {
        // ... (13 lines)
    }

    /** How a basket is paid for. */
    public enum Payment {
        CASH,
        CARD {
            @Override
            boolean needsPin(int cents) {
                // ... (3 lines)
            }
        };

        boolean needsPin(int cents) {
            return false;
        }
    }

    public record Line(String name, int cents) {
        public Line {
            // ... (3 lines)
        }
    }

    interface Visitor<R> {
        R visit(Line line);

        default R visitAll(List<Line> lines) {
            // ... (5 lines)
        }
    }
}
