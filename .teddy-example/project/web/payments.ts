// The client of the payments API, as the shop's pages use it.

export interface Payment {
  id: string;
  cents: number;
}

/** Charges a card; throws with the service's own error name. */
export async function charge(card: string, cents: number): Promise<Payment> {
  const response = await fetch("/payments", { method: "POST", body: JSON.stringify({ card, cents }) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return { id: answer.payment, cents };
}
