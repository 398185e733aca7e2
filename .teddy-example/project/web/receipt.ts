// What a customer sees after paying.

import type { Payment } from "./payments";

/** An amount for a person: the only place that divides cents. */
export function amount(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** The lines of a receipt. */
export function receipt(payment: Payment): string[] {
  return [`Payment ${payment.id}`, `Paid ${amount(payment.cents)}`];
}
