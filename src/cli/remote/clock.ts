import type { Command } from 'commander'
import { z } from 'zod'
import type { AnswerOf } from '../../../client/src/index.ts'
import { StartError } from '../../domain/errors.ts'
import { addGroup } from '../command.ts'
import { addRemote } from './command.ts'
import type { Connection } from './connect.ts'

type Due = AnswerOf<'advanceSandboxClock'>['due']

export function addClockCommands(root: Command): void {
  const group = addGroup(root, 'clock', 'Let time pass in the sandbox, through the API.')

  addRemote(group, {
    name: 'advance',
    summary: 'Let time pass in the sandbox: retries, deadlines and ends happen now.',
    rest: {
      name: 'duration',
      words: 'how much, in weeks, days, hours, minutes and seconds: P1W, P3D, PT12H, P1DT30M',
      single: true,
    },
    options: {},
    input: z.object({ duration: z.string().min(1) }),
    example: 'kitlane clock advance P3D',
    async run(connection, { duration }) {
      refuseLive(connection)
      const answer = await connection.kitlane.sandbox.advanceClock({ advance: duration })
      const { advanced, total, due } = answer
      const text = `Advanced the sandbox of ${connection.business.name} by ${advanced}, ${total} in all.\n${inWords(due)}`
      return { json: answer, text }
    },
  })

  addRemote(group, {
    name: 'show',
    summary: 'Show how far the sandbox was advanced.',
    options: {},
    input: z.object({}),
    example: 'kitlane clock show',
    async run(connection) {
      refuseLive(connection)
      const clock = await connection.kitlane.sandbox.getClock()
      return { json: clock, text: `The sandbox of ${connection.business.name} was advanced by ${clock.total} in all.` }
    },
  })
}

function refuseLive({ mode, business }: Connection): void {
  if (mode === 'sandbox') return
  throw new StartError(
    `This token is for live data of ${business.name}, where time passes by itself. Log in with a sandbox token (kl_test_…).`,
  )
}

const words: Record<keyof Due, [one: string, many: string]> = {
  webhookDeliveries: ['webhook is sent again', 'webhooks are sent again'],
  criticalResults: ['critical result goes to the next contact', 'critical results go to the next contact'],
  lateKits: ['kit became late', 'kits became late'],
  personalLinks: ['personal link ended', 'personal links ended'],
  sharedReports: ['link to a shared report ended', 'links to shared reports ended'],
  planOrders: ['order of a recurring plan is placed', 'orders of recurring plans are placed'],
  shopOrders: ['order of a shop is tried again', 'orders of shops are tried again'],
  heldSamples: ['sample on hold is discarded', 'samples on hold are discarded'],
  registrationDrafts: ['half-filled registration ended', 'half-filled registrations ended'],
}

function inWords(due: Due): string {
  const lines = Object.entries(due)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count}  ${words[name as keyof Due][count === 1 ? 0 : 1]}`)
  return lines.length > 0 ? lines.join('\n') : 'Nothing became due.'
}
