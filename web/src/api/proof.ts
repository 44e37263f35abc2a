/** Asks the person for one of these proofs; false if they would rather not. */
type Asker = (by: readonly string[]) => Promise<boolean>

let asker: Asker | undefined
let asking: Promise<boolean> | undefined

/** The dialog that asks; returns how to take it away. */
export function onProofNeeded(ask: Asker): () => void {
  asker = ask
  return () => {
    if (asker === ask) asker = undefined
  }
}

/** Several requests that are refused at once share one dialog. */
export function askForProof(by: unknown): Promise<boolean> {
  if (asker === undefined) return Promise.resolve(false)
  asking ??= asker(Array.isArray(by) ? by.map(String) : []).finally(() => {
    asking = undefined
  })
  return asking
}
