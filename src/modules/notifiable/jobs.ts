import { z } from 'zod'
import { EgressError } from '../../platform/egress/errors.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { acknowledgedIn } from '../lab-orders/hl7.ts'
import { claim, recordAnswer, SEND_JOB } from './notices.ts'
import { selectPlaces } from './queries.ts'
import { evaluateOpen } from './service.ts'

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
