package weather

import scala.collection.mutable
import weather.units.{Celsius, Fahrenheit => F}

/** Everything a station can report. */
sealed trait Reading {
  def at: Long
  def describe: String = {
    val when = new java.util.Date(at)
    val text = s"reading at ${when.toString}"
    text.capitalize
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
    "april" -> 4,
    "may" -> 5,
    "june" -> 6,
    "july" -> 7,
    "august" -> 8,
    "september" -> 9,
    "october" -> 10,
    "november" -> 11,
    "december" -> 12,
    "smarch" -> 13
  )

  private[weather] def clamp(value: Double, low: Double, high: Double): Double =
    if (value < low) low
    else if (value > high) high
    else value

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
    if (readings.size == capacity) {
      readings.dequeue()
    }
    readings.enqueue(reading)
  }

  override def iterator: Iterator[Reading] = readings.iterator

  def latest[T <: Reading](pick: PartialFunction[Reading, T]): Option[T] = readings.reverseIterator.collectFirst {
    case reading if pick.isDefinedAt(reading) =>
      pick(reading)
    case other =>
      sys.error(other.describe)
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
    val sorted = station.toList.sorted
    val texts = sorted.map(_.describe)
    texts.zipWithIndex.map { case (text, index) =>
      s"$index: $text"
    }

  extension (station: Station)
    def summary: String =
      val all = lines(station)
      val first = all.headOption.getOrElse("nothing")
      s"${station.name}: $first"
