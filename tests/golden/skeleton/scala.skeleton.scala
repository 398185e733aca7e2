package weather

import scala.collection.mutable
import weather.units.{Celsius, Fahrenheit => F}

/** Everything a station can report. */
sealed trait Reading {
  def at: Long
  def describe: String = {
    // ... (3 lines)
  }
}

final case class Temperature(at: Long, degrees: Celsius) extends Reading

case object Offline extends Reading {
  val at: Long = 0L
}

object Limits {
  val names = Map(
    "january" -> 1,
    "february" -> 2,
    "march" -> 3,
    // ... (10 lines)
  )

  private[weather] def clamp(value: Double, low: Double, high: Double): Double =
    // ... (3 lines)

  type Listener = Reading => Unit
}

class Station(val name: String, capacity: Int = 16)
    extends AutoCloseable
    with Iterable[Reading] {
  private val readings = mutable.Queue.empty[Reading]
  private lazy val quote = '"'

  /** Keeps a reading, and forgets the oldest when there is no room. */
  @throws[IllegalStateException]
  def record(reading: Reading): Unit = {
    // ... (4 lines)
  }

  override def iterator: Iterator[Reading] = readings.iterator

  def latest[T <: Reading](pick: PartialFunction[Reading, T]): Option[T] = readings.reverseIterator.collectFirst {
    // ... (4 lines)
  }

  override def close(): Unit = readings.clear()
}

// Scala 3 writes the same with indentation.
enum Wind:
  case Calm
  case Blowing(from: Int, speed: Double)

  def isStorm: Boolean = this match
    case Calm => false
    case Blowing(_, speed) => speed > 24.5

object Report:
  given ordering: Ordering[Reading] = Ordering.by(_.at)

  def lines(station: Station): List[String] =
    // ... (5 lines)

  extension (station: Station)
    def summary: String =
      // ... (3 lines)
