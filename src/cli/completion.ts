import type { Command } from 'commander'
import { z } from 'zod'
import { addCommand } from './command.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** Adds a command that prints what makes a shell complete all others; `whole` declares them. */
export const completionOf = (whole: () => Promise<Command>) => (root: Command) =>
  void addCommand(
    root,
    {
      name: 'completion',
      summary: 'Print what makes a shell complete commands and options.',
      options: {},
      rest: { name: 'shell', words: SHELLS.join(', '), single: true },
      input: z.object({ shell: z.enum(SHELLS) }),
      example: 'source <(kitlane completion bash)',
    },
    async ({ shell }) => {
      const script = scripts[shell](placesOf(await whole(), []))
      return { json: { shell, script }, text: script }
    },
  )

/** Where a command line can stand: behind the words of a command. */
interface Place {
  path: string[]
  commands: { name: string; summary: string }[]
  /** Without dashes. */
  options: { name: string; summary: string }[]
}

function placesOf(command: Command, path: string[]): Place[] {
  const place = {
    path,
    commands: command.commands.map((one) => ({ name: one.name(), summary: one.description() })),
    options: command
      .createHelp()
      .visibleOptions(command)
      .map(({ long, description }) => ({ name: (long ?? '').replace('--', ''), summary: description })),
  }
  return [place, ...command.commands.flatMap((one) => placesOf(one, [...path, one.name()]))]
}

const namesOf = (entries: readonly { name: string }[]) => entries.map(({ name }) => name)

function bash(places: readonly Place[]): string {
  const steps = places.flatMap(({ path, commands }) =>
    namesOf(commands).map((name) => `      "${[...path, name].join(' ')}") place=$next ;;`),
  )
  const words = places.map(({ path, commands, options }) => {
    const all = [...namesOf(commands), ...namesOf(options).map((name) => `--${name}`)]
    return `    "${path.join(' ')}") words="${all.join(' ')}" ;;`
  })
  return `_kitlane() {
  local word next place= words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${place:+$place }$word"
    case "$next" in
${steps.join('\n')}
    esac
  done
  case "$place" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _kitlane kitlane
`
}

const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`

function fish(places: readonly Place[]): string {
  return places
    .flatMap(({ path, commands, options }) => {
      const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`)
      const none = commands.length > 0 ? [`not __fish_seen_subcommand_from ${namesOf(commands).join(' ')}`] : []
      const here = quoted([...seen, ...none].join('; and '))
      return [
        ...commands.map(({ name, summary }) => `complete -c kitlane -f -n ${here} -a ${name} -d ${quoted(summary)}`),
        ...options.map(({ name, summary }) => `complete -c kitlane -n ${here} -l ${name} -d ${quoted(summary)}`),
      ]
    })
    .join('\n')
}

const scripts: Record<(typeof SHELLS)[number], (places: readonly Place[]) => string> = {
  bash,
  zsh: (places) => `autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${bash(places)}`,
  fish,
}
