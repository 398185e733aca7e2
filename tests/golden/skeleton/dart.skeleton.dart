library shop;

import 'dart:async';
import 'package:shop/src/prices.dart' as prices;

part 'cart.g.dart';

const maxItems = 99;

final Map<String, double> taxRates = {
  'at': 0.20,
  'be': 0.21,
  'bg': 0.20,
  // ... (11 lines)
};

typedef OnChange = void Function(Cart cart);

/// What somebody is about to buy.
@immutable
abstract class Cart extends Object with Observable implements Comparable<Cart> {
  final List<Item> _items;
  static int _next = 0;
  late final String id;

  Cart(this._items)
      : assert(_items.length < maxItems),
        id = 'cart-${_next++}' {
    // ... (3 lines)
  }

  Cart.empty() : this(const []);

  factory Cart.of(Iterable<Item> items) {
    // ... (5 lines)
  }

  /// The sum of everything, without tax.
  double get total {
    // ... (5 lines)
  }

  set discount(double value) => _discount = value.clamp(0, 1);

  Future<bool> checkout({required String country, int retries = 3}) async {
    // ... (5 lines)
  }

  Stream<Item> watch() async* {
    // ... (4 lines)
  }

  @override
  bool operator ==(Object other) => other is Cart && other.id == id;

  void clear();
}

mixin Observable {
  final listeners = <OnChange>[];

  void notify() {
    // ... (4 lines)
  }
}

enum Size {
  small('S'),
  large('L');

  const Size(this.label);
  final String label;

  Size get next {
    // ... (3 lines)
  }
}

extension Money on double {
  String get euros => '€${toStringAsFixed(2)}';
}

Future<void> main(List<String> arguments) async {
  // ... (5 lines)
}
