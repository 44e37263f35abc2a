import { z } from 'zod'
import type { LaboratoryCall, LaboratoryPort } from '../../domain/ports.ts'
import { type SystemTx, within } from '../../platform/database/tx.ts'
import { EgressError } from '../../platform/egress/errors.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import * as audit from '../audit/service.ts'
import { pauseMs } from '../lab-orders/decision.ts'
import { type Acknowledged, acknowledgedIn } from '../lab-orders/hl7.ts'
import { lockReport } from '../reports/queries.ts'
import { remade, SEND_JOB } from './message.ts'
import { lockNotices, type NoticePlace, saveNotice, selectPlaces, selectSettings } from './queries.ts'
import { answered, next, saidOf } from './rules.ts'
import { evaluateOpen } from './service.ts'

/** The failures before anything was sent. */
const unsent: readonly EgressError['code'][] = ['REFUSED_URL', 'REFUSED_ADDRESS', 'DNS', 'CONNECT', 'NOT_SENT']

// Longer than an authority may take to answer: a worker that does not come back within it has died.
const LEASE_MS = 90_000

/** Authorities that are being told by this process, and whether somebody asked for that again meanwhile. */
const turns = new Map<string, boolean>()

/** Tells authorities what is due, each minute and at once. `isAll`: after it has looked again at all that waits. */
export const sendNotices = job({
  name: SEND_JOB,
  input: z.object({ isAll: z.boolean().optional() }),
  retryLimit: 2,
  expireInSeconds: 600,
  heartbeatSeconds: 10,
  // A run lasts as long as the slowest authority takes: the next ones tell the others meanwhile.
  concurrency: 8,
  cron: '* * * * *',
  async handler(context: JobContext, { isAll }) {
    const { database, actor, portsOf } = context
    if (isAll) await database.asSystem(actor, evaluateOpen)
    const { callLaboratory } = portsOf('live')
    if (!callLaboratory) return
    const due = await database.asSystem(actor, (tx) => selectPlaces(tx, 'due'))
    const authorities = [...new Set(due.map(({ authorityId }) => authorityId))]
    // Each has its own turn, one message after the other: one that is slow holds up no other.
    const ended = await Promise.allSettled(authorities.map((id) => takeTurn(context, callLaboratory, id)))
    for (const turn of ended) if (turn.status === 'rejected') throw turn.reason
  },
})

async function takeTurn(context: JobContext, callLaboratory: LaboratoryPort, authorityId: string): Promise<void> {
  const { database, actor, run } = context
  const isTaken = turns.has(authorityId)
  turns.set(authorityId, isTaken)
  if (isTaken) return
  try {
    do {
      turns.set(authorityId, false)
      const due = await database.asSystem(actor, (tx) => selectPlaces(tx, 'due'))
      // One that does not answer would be waited for with each of its messages.
      for (const place of due.filter((one) => one.authorityId === authorityId))
        if (run.signal.aborted || !(await tell(context, callLaboratory, place))) return
    } while (turns.get(authorityId))
  } finally {
    turns.delete(authorityId)
  }
}

/** Sends a notice that is due. False: the authority did not answer. */
async function tell({ database, actor, log }: JobContext, callLaboratory: LaboratoryPort, place: NoticePlace) {
  const call = await database.asSystem(actor, (tx) => claim(tx, place))
  if (!call) return true
  const controlId = call.name.replace(/\.hl7$/, '')
  const reply = await callLaboratory(call).catch((err: unknown) => {
    if (err instanceof EgressError) return err
    throw err
  })
  const isUnsent = call.isNew && reply instanceof EgressError && unsent.includes(reply.code)
  const lost = { controlId, outcome: undefined, code: 'NO ACKNOWLEDGEMENT', isUnsent }
  const isTaken = !(reply instanceof EgressError) && call.url.startsWith('folder:')
  const heard = reply instanceof EgressError || reply.isUnclear ? undefined : acknowledgedIn(reply.body, 'new')
  if (!(reply instanceof EgressError)) reply.line?.close()
  const answer = isTaken
    ? { controlId, outcome: 'received' as const, code: 'FILE' }
    : heard?.controlId === controlId
      ? // MSH-16 asks for no other answer than that it was taken.
        { ...heard, outcome: heard.outcome === 'received' ? ('accepted' as const) : heard.outcome }
      : lost
  await database
    .asSystem(actor, (tx) => recordAnswer(tx, place, answer))
    .catch((err: unknown) => {
      log.error(
        { err, code: 'NOTICE_NOT_RECORDED' },
        'the answer of an authority could not be kept: the message is sent again',
      )
    })
  return answer !== lost
}

/** Takes a notice that is due to send it: the same message again until it is answered, under the control ID by which it is known. */
export async function claim(
  system: SystemTx,
  { realm, id }: NoticePlace,
): Promise<(LaboratoryCall & { isNew: boolean }) | undefined> {
  const tx = within(system, realm)
  const [row] = await lockNotices(tx, { id })
  if (!row?.dueAt || row.dueAt > tx.now || row.text === null) return undefined
  const { transport, isActive } = (await selectSettings(tx)).authorities.find((one) => one.id === row.authorityId) ?? {}
  const isNew = !row.isOpen
  if (!transport || !isActive || transport.kind === 'byHand' || (isNew && row.state !== 'due')) return undefined
  const taken = { ...row, tries: row.tries + 1, dueAt: new Date(tx.now.getTime() + LEASE_MS) }
  const said = saidOf(row, 'sent')
  const messages = row.messages + (isNew ? 1 : 0)
  await saveNotice(tx, isNew ? { ...taken, messages, isOpen: true, prior: row.said, said } : taken)
  const controlId = `${id}.${messages}`
  return {
    isNew,
    url: transport.kind === 'folder' ? `folder:${transport.folder}` : transport.url,
    name: `${controlId}.hl7`,
    headers: {},
    body: row.text,
    isAnswer: (text) => acknowledgedIn(text, 'new')?.controlId === controlId,
  }
}

/** Writes down what an authority answered. What answers no message that waits changes nothing. */
async function recordAnswer(
  system: SystemTx,
  { realm, id, reportId }: NoticePlace,
  answer: Pick<Acknowledged, 'controlId' | 'outcome' | 'code' | 'reason'> & { isUnsent?: boolean },
): Promise<void> {
  const tx = within(system, realm)
  const report = reportId === null ? undefined : await lockReport(tx, reportId)
  const [row] = await lockNotices(tx, { id })
  if (!row?.isOpen || `${id}.${row.messages}` !== answer.controlId) return
  const { outcome } = answer
  const note = [answer.code, answer.reason].filter(Boolean).join(': ').slice(0, 300)
  const dueAt = new Date(tx.now.getTime() + pauseMs(row.tries))
  if (answer.isUnsent) {
    // It was told nothing: the message may still change, or go to another authority.
    const back = { ...row, note, isOpen: false, said: row.prior, prior: null, messages: row.messages - 1 }
    const due = { state: 'due', reason: null } as const
    const isAsSaid = row.now.key === row.said?.key
    const { state, reason } = isAsSaid ? due : (next({ ...back, ...due, key: '' }, row.now) ?? back)
    const again = await remade(tx, report, { ...back, state, reason })
    return saveNotice(tx, again.state === 'due' ? { ...again, dueAt, tries: row.tries } : again)
  }
  if (outcome === undefined) return saveNotice(tx, { ...row, note, dueAt: row.dueAt && dueAt })
  // MSH-11: what went as training was not told.
  const isTraining = outcome !== 'refused' && row.text?.split('|')[10] !== 'P'
  const counts = isTraining ? 'refused' : outcome
  const { said, isOpen, ...after } = answered({ ...row, key: row.now.key }, row.now, counts, row.prior)
  const { state, reason } =
    isTraining && after.state === 'refused' ? { state: 'waiting' as const, reason: 'training' as const } : after
  const toldAt = counts === 'refused' ? row.toldAt : tx.now.toISOString()
  const details = { authority: row.authorityId, outcome }
  await audit.record(tx, [{ action: 'notice.answered', objectType: 'notice', objectId: id, details }])
  const moved = { ...row, said, state, reason, isOpen, note, toldAt, prior: null, dueAt: null }
  await saveNotice(tx, await remade(tx, report, moved))
}
