import { z } from 'zod'
import { sha256 } from '../../../platform/crypto.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { selectSealedDraft, upsertSealedDraft } from '../queries.ts'

const VALID_MS = 2 * 3_600_000

/** The answers so far on the pages that register a kit. */
const Draft = z.object({
  consent: z.object({ version: z.string(), research: z.boolean() }).optional(),
  /** The sealed box that the kit was in then. */
  box: z.string().optional(),
  /** Research was ticked on a form without the consent to testing. */
  wantsResearch: z.boolean().optional(),
  /** The fields as they were typed, right or not. */
  details: z.record(z.string(), z.string()).optional(),
  /** The kit was registered here. If it is doubtful, a person checks it. */
  done: z.object({ email: z.string(), isDoubtful: z.boolean() }).optional(),
})
export type Draft = z.infer<typeof Draft>

const placeOf = (tx: Tx, kitId: string) => `registration_drafts.sealed/${tx.realm.id}/${kitId}`

/** The draft of this browser for a kit; empty without one. */
export async function readDraft(tx: Tx, kitId: string, visitor: string): Promise<Draft> {
  const sealed = await selectSealedDraft(tx, kitId, sha256(visitor))
  return sealed ? Draft.parse(JSON.parse(tx.context.open(sealed, placeOf(tx, kitId)))) : {}
}

/** Stores a draft, encrypted, for two hours. */
export async function saveDraft(tx: Tx, kitId: string, visitor: string, draft: Draft): Promise<void> {
  const sealed = tx.context.seal(JSON.stringify(draft), placeOf(tx, kitId))
  const expiresAt = new Date(tx.now.getTime() + VALID_MS)
  await upsertSealedDraft(tx, { kitId, visitor: sha256(visitor), sealed, expiresAt })
}
