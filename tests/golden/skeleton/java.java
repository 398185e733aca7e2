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
        7,
        10,
        12,
        15,
        18,
        20,
        22,
        25,
        27,
        30,
        33,
    };

    private final Map<T, Integer> counts = new TreeMap<>();

    /** Orders goods by price. */
    private final Comparator<T> byPrice = (a, b) -> {
        int left = counts.getOrDefault(a, 0);
        int right = counts.getOrDefault(b, 0);
        return Integer.compare(left, right);
    };

    static {
        Arrays.sort(RATES);
        System.setProperty("basket", "1");
        Locale.setDefault(Locale.ROOT);
    }

    public Basket(Collection<? extends T> goods) {
        super();
        for (T good : goods) {
            add(good, 1);
        }
    }

    /**
     * Adds some of a good.
     *
     * @throws IllegalArgumentException if there are fewer than one
     */
    public <R> R add(T good, int count, Function<? super T, R> then) throws IllegalArgumentException {
        if (count < 1) {
            throw new IllegalArgumentException("count: " + count);
        }
        counts.merge(good, count, Integer::sum);
        return then.apply(good);
    }

    void add(T good, int count) {
        add(good, count, Function.identity());
    }

    @Override
    public Iterator<T> iterator() {
        return new Iterator<>() {
            private final Iterator<T> inner = counts.keySet().iterator();

            @Override
            public boolean hasNext() {
                return inner.hasNext();
            }

            @Override
            public T next() {
                return inner.next();
            }
        };
    }

    /** How a basket is paid for. */
    public enum Payment {
        CASH,
        CARD {
            @Override
            boolean needsPin(int cents) {
                int limit = 50_00;
                boolean above = cents > limit;
                return above;
            }
        };

        boolean needsPin(int cents) {
            return false;
        }
    }

    public record Line(String name, int cents) {
        public Line {
            Objects.requireNonNull(name);
            name = name.strip();
            cents = Math.max(cents, 0);
        }
    }

    interface Visitor<R> {
        R visit(Line line);

        default R visitAll(List<Line> lines) {
            R last = null;
            for (Line line : lines) {
                last = visit(line);
            }
            return last;
        }
    }
}
