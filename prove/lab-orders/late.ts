import { setTimeout as delay } from 'node:timers/promises'
import type { Caller } from '../../test/harness/caller.ts'
import type { Random } from '../random.ts'
import { type FaultyLaboratory, type LateAnswer, REASONS } from './laboratory.ts'

interface Answering {
  laboratory: FaultyLaboratory
  operator: Pick<Caller, 'post'>
  random: Random
  /** So many answers are kept back, so that others come before them. */
  keptBack(): number
}

/**
 * Posts what the laboratory answers later, long after much else was said: in any order, and each answer twice. Returns how many
 * were not taken.
 */
export async function postLate(
  { laboratory: { late }, operator, random, keptBack }: Answering,
  signal: AbortSignal,
): Promise<number> {
  const posted = new Set<LateAnswer>()
  let wrong = 0
  const post = ({ controlId, isAccepted, control, text }: LateAnswer) =>
    random.fraction() < 0.5
      ? operator.post('/lab-orders/answers', text, { 'content-type': 'application/hl7-v2' })
      : operator.post('/lab-orders/answers', {
          controlID: controlId,
          accepted: isAccepted,
          ...(isAccepted
            ? { fillerNumber: `F${controlId.slice(0, controlId.lastIndexOf('.'))}` }
            : { reason: REASONS[control] }),
        })
  for (; !signal.aborted; await delay(random.between(20, 100))) {
    if (late.length <= keptBack()) continue
    const answer = late[random.between(0, late.length - 1)]
    const reply = answer && (await post(answer).catch(() => undefined))
    if (!answer || !reply || reply.status >= 500) continue
    if (reply.status !== 200) wrong++
    if (posted.has(answer)) late.splice(late.indexOf(answer), 1)
    posted.add(answer)
  }
  return wrong
}
