//! Larger shops whose files do not all fit the budget: one for tests, and one with files of realistic size for the
//! pictures.

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

/// Modules of the shop in the pictures: path, purpose, subject of its functions, and their number.
const FULL_SIZE: &[(&str, &str, &str, usize)] = &[
    ("src/pay/refund.rs", "Refunds: money that goes back to a customer", "refund", 14),
    ("src/pay/ledger.rs", "The ledger: every booking, oldest first", "booking", 34),
    ("src/pay/card.rs", "Card payments", "card", 26),
    ("src/pay/settlement.rs", "Settlement of payments with the bank", "settlement", 42),
    ("src/pay/fees.rs", "Fees of each payment", "fee", 12),
    ("src/pay/mod.rs", "Payments, and the errors they share", "payment", 6),
    ("src/pay/dispute.rs", "Disputed payments and chargebacks", "dispute", 18),
    ("src/pay/invoice/lines.rs", "Lines of an invoice", "line", 16),
    ("src/pay/invoice/pdf.rs", "Invoices as PDF", "page", 24),
    ("src/money.rs", "Amounts of money in a currency", "amount", 11),
    ("src/lib.rs", "The shop's public interface", "shop", 4),
    ("src/order/cart.rs", "The cart before payment", "cart", 20),
    ("src/order/returns.rs", "Returned goods, which lead to refunds", "return", 28),
    ("src/order/shipping.rs", "Shipping labels", "label", 15),
    ("src/stock/shelf.rs", "Shelves and the articles on them", "shelf", 13),
    ("src/stock/count.rs", "Stocktaking", "count", 21),
    ("src/web/checkout.rs", "The checkout page", "checkout", 30),
    ("src/web/account.rs", "The account page", "account", 17),
    ("tests/ledger_test.rs", "Tests of the ledger", "ledger_case", 16),
    ("tests/refund_test.rs", "Tests of refunds", "refund_case", 9),
    ("tests/returns_test.rs", "Tests of returned goods", "return_case", 12),
];

/// A function whose name and text contain the noun. Its structure and size depend on its number.
fn function(noun: &str, at: usize) -> String {
    let verb = ["open", "check", "apply", "cancel", "list", "merge", "split", "close", "find", "update"][at % 10];
    let name = match at / 10 {
        0 => format!("{verb}_{noun}"),
        1 => format!("{verb}_pending_{noun}"),
        2 => format!("{verb}_{noun}_by_day"),
        3 => format!("{verb}_foreign_{noun}"),
        _ => format!("{verb}_archived_{noun}"),
    };
    match at % 3 {
        0 => format!(
            "\n/// Runs `{verb}` for each {noun} of an account, and stops when the amount is used up.\n\
             pub fn {name}(ledger: &mut Ledger, account: AccountId, amount: Amount) -> Result<Receipt, PayError> {{\n\
             \x20   let open: Vec<Entry> = ledger.entries(account).filter(Entry::is_open).collect();\n\
             \x20   if open.is_empty() {{\n        return Err(PayError::NothingOpen(account));\n    }}\n\
             \x20   let mut rest = amount;\n    for entry in open {{\n        let part = rest.min(entry.amount);\n\
             \x20       ledger.book(entry.id, part)?;\n        rest = rest - part;\n\
             \x20       if rest.is_zero() {{\n            break;\n        }}\n    }}\n\
             \x20   Ok(Receipt::new(account, amount - rest))\n}}\n"
        ),
        1 => format!(
            "\n/// Returns every {noun} that `{verb}` applies to, newest first.\n\
             pub fn {name}(ledger: &Ledger, from: Date, until: Date) -> Vec<EntryId> {{\n\
             \x20   let mut found: Vec<&Entry> = ledger.between(from, until).filter(|entry| entry.amount.is_positive()).collect();\n\
             \x20   found.sort_by_key(|entry| std::cmp::Reverse(entry.day));\n\
             \x20   found.iter().map(|entry| entry.id).collect()\n}}\n"
        ),
        _ => format!(
            "\n/// State of a {noun} after `{verb}`.\n\
             pub fn {name}(state: State, fee: Amount) -> Result<State, PayError> {{\n    match state {{\n\
             \x20       State::Open if fee.is_zero() => Ok(State::Settled),\n\
             \x20       State::Open => Ok(State::Charged(fee)),\n\
             \x20       State::Charged(paid) if paid >= fee => Ok(State::Settled),\n\
             \x20       State::Charged(paid) => Err(PayError::FeeTooLow {{ paid, fee }}),\n\
             \x20       State::Settled | State::Cancelled => Err(PayError::Final(state)),\n    }}\n}}\n"
        ),
    }
}

/// A shop with files of realistic size, in several commits.
pub fn full_size_shop() -> Shop {
    let shop = Shop::with_teddy();
    for (path, purpose, noun, functions) in FULL_SIZE {
        let file = shop.root().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let functions: String = (0..*functions).map(|at| function(noun, at)).collect();
        shop.write(
            path,
            &format!("//! {purpose}.\n\nuse crate::money::Amount;\nuse crate::pay::ledger::Ledger;\n{functions}"),
        );
        shop.commit(&format!("{}: {purpose}", path.rsplit('/').next().unwrap_or(path)));
    }
    let guide =
        "Refunds are booked like payments, with a negative amount. A refund never exceeds the payment.\n".repeat(12);
    for (path, title) in [("README.md", "Shop"), ("docs/payments.md", "Payments"), ("docs/stock.md", "Stock")] {
        shop.write(path, &format!("# {title}\n\n{guide}"));
    }
    shop.commit("Document payments and stock");
    shop
}
