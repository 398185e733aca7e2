//! A larger shop whose files do not all fit the budget: for the token map, the tour of themes and the pictures.

use crate::project::Shop;

/// Modules with their purpose and the number of their functions.
const MODULES: &[(&str, &str, usize)] = &[
    ("src/pay/card.rs", "Card payments", 14),
    ("src/pay/settlement.rs", "Settlement of payments with the bank", 22),
    ("src/pay/fees.rs", "Fees of each payment", 6),
    ("src/pay/invoice/lines.rs", "Lines of an invoice", 9),
    ("src/pay/invoice/pdf.rs", "Invoices as PDF", 12),
    ("src/order/cart.rs", "The cart before payment", 10),
    ("src/order/returns.rs", "Returned goods, which lead to refunds", 16),
    ("src/order/shipping.rs", "Shipping labels", 8),
    ("src/stock/shelf.rs", "Shelves and their places", 7),
    ("src/web/checkout.rs", "The checkout page", 11),
    ("src/web/account.rs", "The account page", 5),
    ("tests/returns_test.rs", "Tests of returns and refunds", 6),
];

const VERBS: [&str; 8] = ["open", "close", "check", "apply", "cancel", "list", "merge", "split"];

/// A module with documented functions of several lines.
fn module(path: &str, purpose: &str, functions: usize) -> String {
    let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".rs");
    let mut text = format!("//! {purpose}.\n\nuse crate::money::Amount;\nuse crate::pay::ledger::Ledger;\n");
    for at in 0..functions {
        let verb = VERBS[at % VERBS.len()];
        text.push_str(&format!(
            "\n/// Step {at} of {stem}: {verb} an entry and book what it costs.\npub fn {verb}_{stem}_{at}(ledger: &mut Ledger, amount: Amount) -> Amount {{\n    let fee = amount / {};\n    if fee > 0 {{\n        ledger.book(fee);\n    }}\n    amount - fee\n}}\n",
            at + 2
        ));
    }
    text
}

/// The shop with all modules committed.
pub fn large_shop() -> Shop {
    let shop = Shop::with_teddy();
    for (path, purpose, functions) in MODULES {
        let file = shop.root().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        shop.write(path, &module(path, purpose, *functions));
    }
    shop.commit("Add orders, invoices and the web shop");
    shop
}

/// Keys that set the budget.
pub fn budget(tokens: usize) -> String {
    format!("t tab tab tab ctrl-u <{tokens}> esc")
}
