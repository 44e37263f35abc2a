import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { program } from '../../src/cli/program.ts'
import { type CommandLine, commandLine } from '../harness/command-line.ts'
import { callKitlane } from '../harness/in-process.ts'
import { ownWorld, type World } from '../harness/world.ts'

let world: World
let cli: CommandLine
let folder: string

beforeAll(async () => {
  world = await ownWorld('runs every command, also those that change the installation')
  cli = await commandLine(world.urls.owner, world.encryptionKey)
  folder = await mkdtemp(join(tmpdir(), 'kitlane-mistakes-'))
  await writeFile(join(folder, 'a-file'), 'not a folder')
})
afterAll(async () => {
  await world.stop()
  await cli.close()
  await rm(folder, { recursive: true, force: true })
})

interface Example {
  name: string
  args: string[]
  command: Command
}

/** Every command that ends by itself and works on a database, with the arguments of its example. */
async function examples(): Promise<Example[]> {
  const leaves = (parent: Command, names: string[]): { names: string[]; command: Command }[] =>
    parent.commands.flatMap((command) => {
      const all = [...names, command.name()]
      return command.commands.length > 0 ? leaves(command, all) : [{ names: all, command }]
    })
  return leaves(await program(), [])
    .filter(({ names, command }) => names[0] !== 'start' && command.options.some(({ long }) => long === '--data'))
    .map(({ names, command }) => {
      let help = ''
      const writeOut = (text: string) => {
        help += text
      }
      command.configureOutput({ writeOut }).outputHelp()
      const [, line = ''] =
        new RegExp(`kitlane ${names.join(' ')}(.*)$`, 'm').exec(
          help.split('Example:')[1]?.replace(/ >>? .*/, '') ?? '',
        ) ?? []
      const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
      const at = words.indexOf('--data')
      return { name: names.join(' '), args: at < 0 ? words : words.toSpliced(at, 2), command }
    })
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
const CREATORS = ['migrate', 'restore', 'business create']

describe('a data folder that is not the one of an installation', () => {
  it('is named by every command, which makes nothing there', async () => {
    const all = await examples()
    expect(all.length).toBeGreaterThan(40)
    for (const { name, args } of all) {
      if (CREATORS.includes(name)) continue
      const { code, stdout, stderr } = await callKitlane([...name.split(' '), ...args, '--data', './typo'], {}, folder)
      expect([name, code], stderr).toEqual([name, 1])
      expect(stderr + stdout, name).toMatch(/[Tt]here is (none|no database)/)
    }
    expect(await isThere(join(folder, 'typo'))).toBe(false)
  })

  it.each(['a-file', 'a-file/below'])('is refused where it is a file, or below one: %s', async (path) => {
    for (const { name, args } of await examples()) {
      const { code, stdout, stderr } = await callKitlane([...name.split(' '), ...args, '--data', path], {}, folder)
      expect([name, code], stderr).toEqual([name, 1])
      expect(stderr + stdout, name).toMatch(
        /The data folder \S+ .*\((ENOTDIR|EEXIST)\)\. Choose another folder with --data/,
      )
    }
  })
})

describe('what is wrong in a command', () => {
  // Each place is given one of them, which keeps this under half a minute; all of them at all places found nothing more.
  const wrong = ['', '-1', '99999999999999999999', './nosuch/file', '1.5', 'no such', '/', '2026-13-40']

  it('is a sentence and never a crash, whatever each option is given', async () => {
    const seen: string[] = []
    let tried = 0
    for (const { name, args } of await examples()) {
      const places = args.flatMap((word, index) => (word.startsWith('--') ? [] : [index]))
      for (const index of places) {
        const line = args.toSpliced(index, 1, wrong[tried++ % wrong.length] ?? '')
        const { code, stderr } = await cli.run(...name.split(' '), ...line)
        if (/unexpectedly/.test(stderr) || (code !== 0 && stderr === ''))
          seen.push(`${name} ${line.join(' ')}: ${stderr}`)
      }
    }
    expect(tried).toBeGreaterThan(60)
    expect(seen).toEqual([])
  })
})

it('a backup that is not there is named before its key is asked for', async () => {
  const { code, stderr } = await callKitlane(['restore', './nosuch.age', '--data', './new'], {}, folder)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/nosuch\.age cannot be read: there is no such file/)])
  expect((await readdir(folder)).includes('new')).toBe(false)
})

it('settings say which words they take', async () => {
  const { id } = await world.business({ name: 'Words' })
  const refused = async (text: string) => (await cli.run('business', 'set', '--business', id, text)).stderr.trim()
  expect(await refused('uploadsEnabled=yes')).toBe('uploadsEnabled must be true or false.')
  expect(await refused('publishing=maybe')).toBe('publishing must be manual or auto.')
  expect(await refused('insufficientCredits=x')).toBe('insufficientCredits must be charge, pending or reject.')
  expect(await refused('lowCreditThreshold=few')).toBe('lowCreditThreshold must be a whole number, or none.')
  expect(await refused('rateLimitPerMinute=none')).toBe('rateLimitPerMinute must be a whole number.')
})
