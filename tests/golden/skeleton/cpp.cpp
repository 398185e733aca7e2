#include <algorithm>
#include <memory>
#include <vector>

#include "shape.hpp"

namespace geometry {
inline namespace v1 {

/// A point in the plane.
template <typename T = double>
struct Point {
    T x{}, y{};

    constexpr Point& operator+=(const Point& other) noexcept {
        x += other.x;
        y += other.y;
        return *this;
    }

    friend bool operator==(const Point&, const Point&) = default;
};

/// Anything with an area.
class Shape {
public:
    virtual ~Shape() = default;
    [[nodiscard]] virtual double area() const = 0;

    template <typename Visitor>
    auto accept(Visitor&& visitor) -> decltype(visitor(*this)) {
        ++visits_;
        last_ = this;
        return visitor(*this);
    }

protected:
    explicit Shape(int id) : id_{id}, visits_(0) {
        registry().push_back(this);
        std::sort(registry().begin(), registry().end());
        last_ = nullptr;
    }

private:
    int id_;
    int visits_;
    const Shape* last_ = nullptr;

    static std::vector<Shape*>& registry();
};

class Polygon final : public Shape {
public:
    using Points = std::vector<Point<>>;

    Polygon(int id, Points points)
        : Shape(id),
          points_(std::move(points))
    {
        if (points_.size() < 3) {
            throw std::invalid_argument("a polygon has three corners");
        }
    }

    double area() const override;
    operator bool() const { return !points_.empty(); }
    Point<>& operator[](std::size_t index) { return points_[index]; }

private:
    Points points_;
};

// The shoelace formula.
double Polygon::area() const {
    double sum = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const auto& a = points_[i];
        const auto& b = points_[(i + 1) % points_.size()];
        sum += a.x * b.y - b.x * a.y;
    }
    return std::abs(sum) / 2;
}

std::vector<Shape*>& Shape::registry() {
    static std::vector<Shape*> shapes;
    return shapes;
}

const auto larger = [](const Shape& a, const Shape& b) {
    const double left = a.area();
    const double right = b.area();
    return left > right;
};

template <typename T>
concept HasArea = requires(const T& shape) {
    { shape.area() } -> std::convertible_to<double>;
};

template <HasArea... Shapes>
double total(const Shapes&... shapes) try {
    return (shapes.area() + ... + 0.0);
} catch (const std::exception& error) {
    return -1;
}

static const char* const kText = R"raw(
    void not_a_function() {
    }
)raw";

}  // namespace v1
}  // namespace geometry
