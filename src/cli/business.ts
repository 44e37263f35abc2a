import type { Command } from 'commander'
import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import { businessName, OperatorSettingsChange, OperatorSettingsChange as Schema } from '../modules/businesses/schema.ts'
import * as businesses from '../modules/businesses/service.ts'
import { internalKitType } from '../modules/catalogue/kit-type.ts'
import { configureBusiness } from '../modules/onboarding/administer.ts'
import { onboard } from '../modules/onboarding/onboard.ts'
import { email } from '../platform/http/fields.ts'
import { addAdministration, addGroup, business, listOf, table, wholeNumber } from './command.ts'
import { operator } from './session.ts'

const known = Object.keys(Schema.shape)

/** Parses `setting=value` texts; numbers, true, false and none are recognised by their form. */
function parseSettings(texts: readonly string[]): OperatorSettingsChange {
  if (texts.length === 0) throw new StartError(`Say what to change as setting=value. Settings: ${known.join(', ')}.`)
  const given = texts.map((text) => {
    const at = text.indexOf('=')
    const name = text.slice(0, at)
    if (at < 1) throw new StartError(`"${text}" is no setting=value. For example: publishing=auto`)
    if (!known.includes(name)) throw new StartError(`There is no setting ${name}. Settings: ${known.join(', ')}.`)
    const value = text.slice(at + 1)
    return [name, name === 'retestPanels' ? listed(value) : typed(value)]
  })
  const parsed = Schema.safeParse(Object.fromEntries(given))
  if (parsed.success) return parsed.data
  throw new StartError(parsed.error.issues.map(sentenceOf).join('\n'))
}

/** What an issue of a setting asks for, in the words that are typed. */
function sentenceOf({ path, message, ...issue }: z.core.$ZodIssue): string {
  const name = path.join('.')
  const schema: unknown = Schema.shape[name as keyof typeof Schema.shape]
  const takesNone = schema instanceof z.ZodType && z.safeParse(schema, null).success
  const orNone = takesNone ? ', or none' : ''
  const wanted = issue.code === 'invalid_type' ? words[issue.expected] : undefined
  if (wanted) return `${name} must be ${wanted}${orNone}.`
  if (issue.code === 'invalid_value')
    return `${name} must be ${issue.values.join(', ').replace(/, (?=[^,]*$)/, ' or ')}${orNone}.`
  return `${name}: ${message.replace(/\.?$/, '.')}${takesNone ? ' Or send none.' : ''}`
}

const words: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a whole number',
  string: 'a text',
}

const listed = (text: string): string[] => (text === 'none' ? [] : text.split(','))

function typed(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'none') return null
  return /^\d+$/.test(text) ? Number(text) : text
}

export function addBusinessCommands(root: Command): void {
  const group = addGroup(root, 'business', 'Make, list and set up the businesses that order kits.')

  addAdministration(group, {
    name: 'create',
    creates: true,
    summary:
      'Create a business that can order at once, with a live and a sandbox token. The tokens are shown only once.',
    options: {
      '--name <name>': 'the name of the business',
      '--panels <types>': 'the kit types that it may order, separated by commas, or all (default: all)',
      '--contact <email>': 'whom its people can ask: on their pages, in e-mails and as the address of answers',
      '--credits <number>': 'live credits for each of these kit types (default: 0); one credit buys one kit',
    },
    input: z.object({
      name: businessName,
      panels: listOf.optional(),
      credits: wholeNumber.optional(),
      contact: email.optional(),
    }),
    example: 'kitlane business create --name "Acme Clinic" --contact care@acme.example --credits 100',
    async run(database, { name, panels, credits, contact: contactEmail }) {
      const chosen = panels?.includes('all') ? undefined : panels?.map(internalKitType)
      const made = await database.asSystem(operator, (tx) =>
        onboard(tx, { name, panels: chosen, credits, contactEmail }),
      )
      const { liveToken, sandboxToken } = made
      return {
        json: { business: made.business, liveToken, sandboxToken },
        text: [
          `Created the business ${name} (${made.business.id}).`,
          `Live token:    ${liveToken}`,
          `Sandbox token: ${sandboxToken}`,
          'Keep the tokens safe: they are not shown again.',
          ...(contactEmail
            ? []
            : [
                `Before it sends live kits, give it a contact: kitlane business set --business ${made.business.id} contactEmail=<address>`,
              ]),
        ].join('\n'),
      }
    },
  })

  addAdministration(group, {
    name: 'list',
    summary: 'List the businesses with their IDs.',
    options: {},
    input: z.object({}),
    example: 'kitlane business list --json',
    async run(database) {
      const found = await database.asSystem(operator, businesses.list)
      const text = found.length > 0 ? table(found.map(({ id, name }) => [id, name])) : 'There is no business yet.'
      return { json: found, text }
    },
  })

  addAdministration(group, {
    name: 'set',
    summary: `Change settings of a business, in both live and sandbox: ${Object.keys(OperatorSettingsChange.shape).join(', ')}.`,
    options: { '--business <business>': 'its ID or its name' },
    rest: { name: 'settings', words: 'one or more of setting=value' },
    input: z.object({ business, settings: z.array(z.string()) }),
    example: 'kitlane business set --business "Acme Clinic" publishing=auto rateLimitPerMinute=600',
    async run(database, input) {
      const change = parseSettings(input.settings)
      const found = await database.asSystem(operator, (tx) => configureBusiness(tx, input.business, change))
      const changed = Object.entries(change).map(([name, value]) => `${name} is now ${value ?? 'none'}`)
      return {
        json: { business: found, changed: change },
        text: `${found.name}: ${changed.join(', ')}. Running servers follow within 5 seconds.`,
      }
    },
  })
}
