library shop;

import 'dart:async';
import 'package:shop/src/prices.dart' as prices;

part 'cart.g.dart';

const maxItems = 99;

final Map<String, double> taxRates = {
  'at': 0.20,
  'be': 0.21,
  'bg': 0.20,
  'cy': 0.19,
  'cz': 0.21,
  'de': 0.19,
  'dk': 0.25,
  'ee': 0.24,
  'es': 0.21,
  'fi': 0.255,
  'fr': 0.20,
  'gr': 0.24,
  'hr': 0.25,
  'hu': 0.27,
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
    _items.sort();
    notify();
    print("it's ready: $id");
  }

  Cart.empty() : this(const []);

  factory Cart.of(Iterable<Item> items) {
    final list = items.toList();
    if (list.isEmpty) {
      return Cart.empty();
    }
    return _Cart(list);
  }

  /// The sum of everything, without tax.
  double get total {
    var sum = 0.0;
    for (final item in _items) {
      sum += item.price * item.count;
    }
    return sum;
  }

  set discount(double value) => _discount = value.clamp(0, 1);

  Future<bool> checkout({required String country, int retries = 3}) async {
    final rate = taxRates[country] ?? 0;
    for (var i = 0; i < retries; i++) {
      if (await prices.pay(total * (1 + rate))) return true;
    }
    return false;
  }

  Stream<Item> watch() async* {
    await for (final change in changes) {
      yield change.item;
      log(r'no $interpolation here');
    }
  }

  @override
  bool operator ==(Object other) => other is Cart && other.id == id;

  void clear();
}

mixin Observable {
  final listeners = <OnChange>[];

  void notify() {
    for (final listener in listeners) {
      listener(this as Cart);
      count++;
    }
  }
}

enum Size {
  small('S'),
  large('L');

  const Size(this.label);
  final String label;

  Size get next {
    final index = (this.index + 1) % values.length;
    final other = values[index];
    return other;
  }
}

extension Money on double {
  String get euros => '€${toStringAsFixed(2)}';
}

Future<void> main(List<String> arguments) async {
  final cart = Cart.of(arguments.map(Item.parse));
  await cart.checkout(country: 'at');
  print('''
Total: ${cart.total.euros}
''');
}
