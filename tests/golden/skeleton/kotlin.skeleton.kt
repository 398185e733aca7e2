@file:JvmName("Library")

package org.example.library

import java.time.LocalDate
import kotlin.math.max

/** How long things may be kept, in days. */
const val LONGEST = 28

private val FEES = mapOf(
    "book" to 10,
    "magazine" to 5,
    "film" to 50,
    // ... (10 lines)
)

typealias Reader = (String) -> Unit

/**
 * Something that can be lent.
 *
 * @property title what people ask for
 */
sealed class Item(
    val title: String,
    private val year: Int = 1900,
) : Comparable<Item> {
    abstract val kind: String

    val age: Int
        get() = LocalDate.now().year - year

    var place: String = "shelf"
        private set(value) {
            check(value.isNotBlank()) { "a place has a name, not \"$value\"" }
            field = value
        }

    private val shelves by lazy {
        // ... (3 lines)
    }

    init {
        // ... (3 lines)
    }

    constructor(title: String) : this(title, 2000) {
        // ... (3 lines)
    }

    override fun compareTo(other: Item): Int =
        compareValuesBy(this, other, Item::title, Item::year)

    @Deprecated("use `lend`")
    inline fun <reified T : Item> borrowed(by: String, block: (T) -> Unit): T
        where T : Any {
        // ... (3 lines)
    }

    fun `can be kept for`(days: Int) = days <= LONGEST

    companion object {
        val NONE: Item? = null

        @JvmStatic
        fun of(line: String): Item {
            // ... (3 lines)
        }
    }
}

class Book(title: String, year: Int) : Item(title, year) {
    override val kind = "book"
}

data class Loan(val item: Item, val until: LocalDate)

enum class State(val open: Boolean) {
    FREE(true),
    LENT(false) {
        override fun next() = FREE
    };

    open fun next(): State = LENT
}

fun interface Clock {
    fun today(): LocalDate
}

object Desk : Clock {
    private val loans = mutableListOf<Loan>()

    override fun today(): LocalDate = LocalDate.now()

    /** Lends an item. */
    suspend fun lend(item: Item, days: Int = LONGEST): Loan? {
        // ... (6 lines)
    }
}

fun Loan.fee(): Int {
    // ... (3 lines)
}
