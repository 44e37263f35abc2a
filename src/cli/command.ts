import { Command } from 'commander'
import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import type { Database } from '../platform/database/tx.ts'
import type { PortsOf } from '../platform/ports/realm-ports.ts'
import type { RealmPortsOf } from './session.ts'

export interface Answer {
  /** What `--json` prints, and nothing else. */
  json: unknown
  text: string
  /** Exit with code 1 although there is an answer. */
  failed?: boolean
}

/** A command as a value: its texts and its options. */
export interface Declaration<Input extends z.ZodObject> {
  name: string
  /** One sentence. */
  summary: string
  /** Flags in the form `--name <text>` with their help; `input` decides which are required. */
  options: Record<string, string>
  /** Takes the remaining arguments under this name of `input`: as a list, or the only one as a text. */
  rest?: { name: string; words: string; single?: true }
  input: Input
  example: string
}

/** One administration command, and its action. */
export interface Administration<Input extends z.ZodObject> extends Declaration<Input> {
  /** An installation may begin with it: it creates the database if missing. */
  creates?: true
  run(database: Database, input: z.output<Input>, realmPorts: RealmPortsOf, portsOf: PortsOf): Promise<Answer>
}

export function addAdministration<Input extends z.ZodObject>(parent: Command, definition: Administration<Input>): void {
  const title = `kitlane ${parent.name() === 'kitlane' ? '' : `${parent.name()} `}${definition.name}`
  const command: Command = addCommand(parent, definition, async (input) => {
    // Imported here, so that commands without a database do not load its libraries.
    const { withDatabase } = await import('./session.ts')
    const { data } = command.opts<{ data?: string }>()
    return withDatabase({ data, creates: definition.creates ?? false }, title, (database, ...ports) =>
      definition.run(database, input, ...ports),
    )
  }).option('--data <folder>', 'the data folder (default: ./data)')
}

/** Adds a command that prints what `perform` answers; nothing where it has printed its answer itself. */
export function addCommand<Input extends z.ZodObject>(
  parent: Command,
  { name, summary, options, rest, input, example }: Declaration<Input>,
  perform: (input: z.output<Input>, output: { json: boolean }) => Promise<Answer | undefined>,
): Command {
  const command = parent.command(name).description(summary)
  if (rest) command.argument(rest.single ? `[${rest.name}]` : `[${rest.name}...]`, rest.words)
  for (const [flags, words] of Object.entries(options)) {
    const schema = input.shape[attribute(flags)]
    command.option(flags, schema && !z.safeParse(schema, undefined).success ? `${words} (required)` : words)
  }
  command.option('--json', 'print JSON only').addHelpText('after', `\nExample:\n  ${example}`)
  return command.action(async () => {
    const { json = false, data: _, ...flags } = command.opts<{ json?: boolean; data?: string }>()
    const given = rest ? { ...flags, [rest.name]: rest.single ? command.args[0] : command.args } : flags
    const parsed = input.safeParse(given)
    if (!parsed.success) throw refusal(parsed.error, given, { example, argument: rest?.name })
    const answer = await perform(parsed.data, { json })
    if (!answer) return
    console.log(json ? JSON.stringify(answer.json, null, 2) : answer.text)
    if (answer.failed) process.exitCode = 1
  })
}

export function addGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary).helpCommand(false)
}

const attribute = (flags: string) => new Command().option(flags).options[0]?.attributeName() ?? ''

function refusal(
  error: z.ZodError,
  given: Record<string, unknown>,
  { example, argument }: { example: string; argument: string | undefined },
): StartError {
  const sentences = error.issues.map((issue) => {
    const { path, message } = issue
    const [name = ''] = path.map(String)
    const flag = name === argument ? `<${name}>` : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    if (name === '' || path.length === 0) return message
    if (given[name] === undefined && path.length === 1) return `${flag} is missing`
    const words = inWords(issue)
    return words.startsWith('must ') ? `${flag} ${words}` : `${flag}: ${words}`
  })
  return new StartError(`${sentences.map((text) => text.replace(/\.?$/, '.')).join('\n')}\nFor example: ${example}`)
}

/** Zod's own messages read like log lines. */
function inWords(issue: z.core.$ZodIssue): string {
  if (!/^(Invalid|Too) /.test(issue.message)) return issue.message
  if (issue.code === 'too_small') return 'must not be empty'
  if (issue.code === 'too_big') return `must not be longer than ${issue.maximum} characters`
  if (issue.code === 'invalid_value') return `must be ${issue.values.join(' or ')}`
  if (issue.code === 'invalid_format' && issue.format === 'email') return 'must be an e-mail address'
  if (issue.code === 'invalid_format' && issue.format === 'date') return 'must be a date such as 2030-12-31'
  return issue.message
}

/** Formats rows as columns, each as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const listOf = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)
export const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)
export const mode = z.enum(['live', 'sandbox'], 'must be live or sandbox')
export const business = z.string().min(1)
