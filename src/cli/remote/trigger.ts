import type { Command } from 'commander'
import { z } from 'zod'
import { StartError } from '../../domain/errors.ts'
import { kitId } from '../../domain/id-fields.ts'
import { type Answer, table } from '../command.ts'
import { addRemote } from './command.ts'
import type { Connection } from './connect.ts'
import { type Ids, playWithKit, type ServiceScenario, type Stage, scenarios } from './scenarios.ts'

export function addTriggerCommand(root: Command): void {
  addRemote(root, {
    name: 'trigger',
    summary: 'Make something happen in the sandbox, with the events that it causes.',
    rest: { name: 'scenario', words: 'what should happen; --list shows the choice', single: true },
    options: {
      '--list': 'list the scenarios',
      '--kit <id>': 'play it with this kit (default: that of a new order)',
      '--kit-type <type>': 'what to order (default: the first type with credits)',
    },
    input: z.object({
      scenario: z.string().min(1).optional(),
      list: z.boolean().default(false),
      kit: kitId.optional(),
      kitType: z.string().min(1).optional(),
    }),
    example: 'kitlane trigger journey',
    async run(connection, { scenario, list, kit, kitType }, { json }) {
      const { kitlane, mode, business, scopes } = connection
      if (mode === 'live') {
        throw new StartError(
          `This token is for live data of ${business.name}, where nothing is made up. Log in with a sandbox token (kl_test_…).`,
        )
      }
      const choice = await choose(connection)
      if (list) return listed(choice)
      if (!scenario) throw new StartError('Say what should happen. To see the choice: kitlane trigger --list')
      const chosen = choice.find(({ name, event }) => scenario === name || scenario === event)
      if (!chosen) throw new StartError(`There is no scenario ${scenario}. To see the choice: kitlane trigger --list`)

      const steps: ({ done: string } & Ids)[] = []
      const stage = {
        kitlane,
        scopes,
        kitID: kit,
        kitType: kitType ?? (await firstType(connection)),
        say(done: string, ids: Ids = {}) {
          steps.push({ done, ...ids })
          if (!json) console.log(done)
        },
      }
      await chosen.play(stage)
      const ids: Ids = Object.assign({}, ...steps.map(({ done: _, ...ids }) => ids))
      return { json: { scenario: chosen.name, steps, ids }, text: inWords(ids) }
    },
  })
}

interface Choice {
  name: string
  description: string
  event?: string
  play(stage: Stage): Promise<void>
}

/** The scenarios of this command, and those of the service. */
async function choose({ kitlane }: Connection): Promise<Choice[]> {
  const theirs = await kitlane.sandbox.listScenarios()
  return [
    ...scenarios,
    ...theirs.map(({ name, description }) => ({
      name,
      description,
      ...(name === 'published' && { event: 'report.published' }),
      ...(name === 'shipped' && { event: 'kit.updated' }),
      play: (stage: Stage) => playWithKit(stage, name as ServiceScenario, description),
    })),
  ]
}

function listed(choice: readonly Choice[]): Answer {
  const rows = choice.map(({ name, event = '', description }) => [name, event, description])
  return {
    json: choice.map(({ name, event, description }) => ({ name, ...(event && { event }), description })),
    text: `${table([['SCENARIO', 'OR BY EVENT', 'WHAT HAPPENS'], ...rows])}\nTo play one: kitlane trigger ${choice[0]?.name}`,
  }
}

async function firstType({ kitlane, business }: Connection): Promise<string> {
  const found = (await kitlane.credits.get()).find(({ credits = 0 }) => credits > 0)
  if (found) return found.type
  throw new StartError(
    `The sandbox of ${business.name} has no credits left. POST /api/v1/sandbox/reset empties it and brings them back.`,
  )
}

const words: Record<keyof Ids, string> = {
  orderID: 'order',
  kitID: 'kit',
  customerID: 'customer',
  reportID: 'report',
  jobId: 'job',
}

function inWords(ids: Ids): string {
  const named = Object.entries(ids).map(([name, id]) => `${words[name as keyof Ids]} ${id}`)
  return named.length > 0 ? `IDs: ${named.join(', ')}` : 'Nothing was made.'
}
