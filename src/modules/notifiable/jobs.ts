import { z } from 'zod'
import type { LaboratoryCall } from '../../domain/ports.ts'
import { type SystemTx, within } from '../../platform/database/tx.ts'
import { EgressError } from '../../platform/egress/errors.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import * as audit from '../audit/service.ts'
import { pauseMs } from '../lab-orders/decision.ts'
import { type Acknowledged, acknowledgedIn } from '../lab-orders/hl7.ts'
import { lockReport } from '../reports/queries.ts'
import { remade, SEND_JOB } from './notices.ts'
import { lockNotices, type NoticePlace, saveNotice, selectPlaces, selectSettings } from './queries.ts'
import { answered } from './rules.ts'
import { evaluateOpen } from './service.ts'

// Longer than an authority may take to answer: a worker that does not come back within it has died.
const LEASE_MS = 90_000

/** Tells authorities what is due, each minute and at once. `isAll`: after it has looked again at all that waits. */
export const sendNotices = job({
  name: SEND_JOB,
  input: z.object({ isAll: z.boolean().optional() }),
  retryLimit: 2,
  expireInSeconds: 600,
  heartbeatSeconds: 10,
  cron: '* * * * *',
  async handler({ database, actor, portsOf, log, run }: JobContext, { isAll }) {
    const { callLaboratory } = portsOf('live')
    if (isAll) await database.asSystem(actor, evaluateOpen)
    if (!callLaboratory) return
    const silent = new Set<string>()
    for (const place of await database.asSystem(actor, (tx) => selectPlaces(tx, 'due'))) {
      if (run.signal.aborted) return
      // One that does not answer would hold up all others, for each of its messages.
      if (silent.has(place.authorityId)) continue
      const call = await database.asSystem(actor, (tx) => claim(tx, place))
      if (!call) continue
      const controlId = call.name.replace(/\.hl7$/, '')
      const reply = await callLaboratory(call).catch((err: unknown) => {
        if (err instanceof EgressError) return err
        throw err
      })
      const lost = { controlId, outcome: undefined, code: 'NO ACKNOWLEDGEMENT' }
      const isTaken = !(reply instanceof EgressError) && call.url.startsWith('folder:')
      const heard = reply instanceof EgressError || reply.isUnclear ? undefined : acknowledgedIn(reply.body, 'new')
      if (!(reply instanceof EgressError)) reply.line?.close()
      const answer = isTaken
        ? { controlId, outcome: 'received' as const, code: 'FILE' }
        : heard?.controlId === controlId
          ? heard
          : lost
      if (answer === lost) silent.add(place.authorityId)
      await database
        .asSystem(actor, (tx) => recordAnswer(tx, place, answer))
        .catch((err: unknown) => {
          log.error(
            { err, code: 'NOTICE_NOT_RECORDED' },
            'the answer of an authority could not be kept: the message is sent again',
          )
        })
    }
  },
})

/** Takes a notice that is due to send it: the same message again until it is answered, under the control ID by which it is known. */
export async function claim(system: SystemTx, { realm, id }: NoticePlace): Promise<LaboratoryCall | undefined> {
  const tx = within(system, realm)
  const [row] = await lockNotices(tx, { id })
  if (!row?.dueAt || row.dueAt > tx.now || row.text === null) return undefined
  const { transport } = (await selectSettings(tx)).authorities.find((one) => one.id === row.authorityId) ?? {}
  const isNew = !row.isOpen
  if (!transport || transport.kind === 'byHand' || (isNew && row.state !== 'due')) return undefined
  const taken = { ...row, tries: row.tries + 1, dueAt: new Date(tx.now.getTime() + LEASE_MS) }
  const said = { key: row.now.key, state: 'sent' as const, entry: row.entry, source: row.source ?? null }
  const messages = row.messages + (isNew ? 1 : 0)
  await saveNotice(tx, isNew ? { ...taken, messages, isOpen: true, prior: row.said, said } : taken)
  const controlId = `${id}.${messages}`
  return {
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
  answer: Pick<Acknowledged, 'controlId' | 'outcome' | 'code' | 'reason'>,
): Promise<void> {
  const tx = within(system, realm)
  const report = reportId === null ? undefined : await lockReport(tx, reportId)
  const [row] = await lockNotices(tx, { id })
  if (!row?.isOpen || `${id}.${row.messages}` !== answer.controlId) return
  const { outcome } = answer
  const note = [answer.code, answer.reason].filter(Boolean).join(': ').slice(0, 1000)
  if (outcome === undefined)
    return saveNotice(tx, { ...row, note, dueAt: new Date(tx.now.getTime() + pauseMs(row.tries)) })
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
