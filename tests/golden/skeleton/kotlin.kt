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
    "record" to 20,
    "map" to 30,
    "score" to 15,
    "game" to 40,
    "tool" to 80,
    "seed" to 1,
    "letter" to 99,
    "poster" to 25,
    "print" to 35,
    "globe" to 60,
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
        val first = title.first()
        val second = year / 10
        listOf("$first$second", "${first}${max(second, 1)}")
    }

    init {
        require(title.isNotEmpty())
        require(year > 0)
        place = shelves.first()
    }

    constructor(title: String) : this(title, 2000) {
        println("a year was guessed for $title")
        println("""a "raw" { text""")
        println('}')
    }

    override fun compareTo(other: Item): Int =
        compareValuesBy(this, other, Item::title, Item::year)

    @Deprecated("use `lend`")
    inline fun <reified T : Item> borrowed(by: String, block: (T) -> Unit): T
        where T : Any {
        val item = this as T
        block(item)
        return item
    }

    fun `can be kept for`(days: Int) = days <= LONGEST

    companion object {
        val NONE: Item? = null

        @JvmStatic
        fun of(line: String): Item {
            val (title, year) = line.split(";")
            val parsed = year.trim().toInt()
            return Book(title, parsed)
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
        if (days > LONGEST) {
            return null
        }
        val loan = Loan(item, today().plusDays(days.toLong()))
        loans += loan
        return loan
    }
}

fun Loan.fee(): Int {
    val late = Desk.today().toEpochDay() - until.toEpochDay()
    val base = FEES[item.kind] ?: 0
    return max(0, late.toInt()) * base
}
