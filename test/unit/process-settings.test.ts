import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingsHelp } from '../../src/cli/start.ts'
import { StartError } from '../../src/domain/errors.ts'
import { named, readSettings, setting, together, unsetWords } from '../../src/platform/settings.ts'
import { type Flags, loadSettings } from '../../src/service/load-settings.ts'
import { declared, sections } from '../../src/settings.ts'
import { read, root, trackedFiles } from '../harness/sources.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'kitlane-settings-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

describe('the settings', () => {
  let made = 0
  function load(input: { env?: Record<string, string>; file?: string; flags?: Flags }) {
    const envFile = join(directory, `env-${made++}`)
    if (input.file !== undefined) writeFileSync(envFile, input.file)
    return loadSettings({ env: { DATA_DIR: join(directory, 'data'), ...input.env }, flags: input.flags ?? {}, envFile })
  }
  function refusal(input: Parameters<typeof load>[0]): string {
    try {
      load(input)
    } catch (error) {
      if (error instanceof StartError) return error.message
      throw error
    }
    throw new Error('it started')
  }

  it('have defaults', () => {
    expect(load({})).toMatchObject({
      role: 'all',
      demo: false,
      port: 8080,
      host: '127.0.0.1',
      database: undefined,
      allowLoopbackWebhooks: false,
      logLevel: 'info',
    })
  })

  it('come from flags before the environment before .env', () => {
    const file = 'PORT=1\nHOST=a\nLOG_LEVEL=debug\n'
    expect(load({ file, env: { PORT: '2', HOST: 'b' }, flags: { port: '3' } })).toMatchObject({
      port: 3,
      host: 'b',
      logLevel: 'debug',
    })
  })

  it('that are malformed or unknown stop the start, all in one message, without showing a value', () => {
    const message = refusal({
      env: {
        PORT: '80a',
        DATABASE_URL: 'mysql://me:hunter2@db/k',
        STRIPE_SECRET_KEY: 'hunter2',
        ENCRYPTION_KEY: 'hunter2',
        KITLANE_PORT: '1',
        KITLANE_TOKEN: 'of the commands for developers',
        PUBLIC_URL: 'ftp://hunter2',
        ALLOW_LOOPBACK_WEBHOOKS: 'perhaps',
      },
      file: 'DATABSE_URL=postgres://hunter2@db/k\nLOG_LEVEL=loud\n',
      flags: { role: 'boss', host: '' },
    })
    expect(message).toContain('PORT must be a whole number from 0 to 65535. For example: PORT=8080')
    expect(message).toContain('DATABSE_URL in .env is not a setting of Kitlane')
    expect(message).toContain('KITLANE_PORT is not a setting of Kitlane. Use PORT')
    expect(message).not.toContain('KITLANE_TOKEN')
    expect(message).toContain('LOG_LEVEL in .env must be one of')
    expect(message).toContain('--role must be all, api or worker')
    for (const name of [
      'DATABASE_URL',
      'STRIPE_SECRET_KEY',
      'ENCRYPTION_KEY',
      'PUBLIC_URL',
      'ALLOW_LOOPBACK_WEBHOOKS',
    ]) {
      expect(message).toContain(`- ${name} must be`)
    }
    expect(message).not.toContain('hunter2')
    expect(refusal({ env: { PUBLIC_URL: 'https://me:hunter2@kits.example.com' } })).toMatch(
      /without a user or password/,
    )
    expect(refusal({ flags: { port: '65536' } })).toContain('--port must be a whole number')
  })

  it('of two states may be said as 1 or 0, true or false, on or off, yes or no, in any case', () => {
    for (const on of ['1', 'true', 'TRUE', 'on', 'Yes']) expect(load({ env: { ACCESS_LOG: on } }).accessLog).toBe(true)
    for (const off of ['0', 'false', 'off', 'OFF', 'no']) expect(load({ env: { DOCS: off } }).docs).toBe(false)
  })

  it('may be given as files, as containers and systemd hand over secrets', () => {
    const secret = join(directory, 'smtp-url')
    writeFileSync(secret, 'smtps://me:hunter2@mail.example.com\n')
    const smtpUrl = 'smtps://me:hunter2@mail.example.com'
    expect(load({ env: { SMTP_URL_FILE: secret } })).toMatchObject({ smtpUrl })
    expect(load({ file: `SMTP_URL_FILE=${secret}\n` })).toMatchObject({ smtpUrl })
    const message = refusal({ env: { SMTP_URL_FILE: secret, SMTP_URL: smtpUrl, DATABASE_URL_FILE: `${secret}-gone` } })
    expect(message).toContain('SMTP_URL and SMTP_URL_FILE are both set')
    expect(message).toContain('DATABASE_URL_FILE names a file that cannot be read')
    writeFileSync(secret, '\n')
    expect(refusal({ env: { ENCRYPTION_KEY_FILE: secret } })).toContain(
      'ENCRYPTION_KEY_FILE names a file that is empty',
    )
    expect(message).not.toContain('hunter2')
  })

  it('leave no trace on the disk: a command without an encryption key makes none', () => {
    expect(load({ env: { DATA_DIR: join(directory, 'unused') } }).encryptionKey).toBeUndefined()
    expect(existsSync(join(directory, 'unused'))).toBe(false)
  })

  it('take an encryption key in base64 or hexadecimal', () => {
    const key = Buffer.alloc(32, 7)
    for (const text of [key.toString('base64'), key.toString('base64url'), key.toString('hex')]) {
      expect(load({ env: { ENCRYPTION_KEY: text } }).encryptionKey).toEqual(key)
    }
  })

  it('ask for a shared encryption key where several machines share a database', () => {
    const env = { DATABASE_URL: 'postgres://db/k' }
    expect(refusal({ env, flags: { role: 'worker' } })).toContain('ENCRYPTION_KEY is missing')
    expect(load({ env }).role).toBe('all')
    expect(refusal({ env: { DATABASE_REPLICA_URL: 'postgres://db/k' } })).toContain('DATABASE_URL is missing')
  })

  it('call Stripe elsewhere over https, or over http on this machine only', () => {
    const stripe = (text: string) => load({ env: { STRIPE_API_URL: text } }).stripe.apiUrl
    expect(stripe('https://stripe.example.com/')).toBe('https://stripe.example.com')
    expect(stripe('http://127.0.0.1:12111')).toBe('http://127.0.0.1:12111')
    expect(stripe('http://localhost:12111')).toBe('http://localhost:12111')
    expect(stripe('http://[::1]:1')).toBe('http://[::1]:1')
    for (const text of [
      'http://stripe.example.com',
      'http://127.0.0.1.example.com',
      'https://stripe.example.com/v1',
      'https://hunter2@stripe.example.com',
      'ftp://127.0.0.1',
      'stripe',
    ]) {
      const message = refusal({ env: { STRIPE_API_URL: text } })
      expect(message).toContain('- STRIPE_API_URL must be an https URL without a path')
      expect(message).not.toContain('hunter2')
    }
  })

  it('are made by one declaration each: environment, option, check, help and type follow', () => {
    const invented = {
      ofTest: setting.whole(1, 9, {
        flag: '--of-test <number>',
        default: 3,
        example: '4',
        help: 'what a test invents',
      }),
      testGroup: together({
        url: setting.text(/^https:/, {
          required: true,
          must: 'an https URL',
          example: 'https://a.test',
          help: 'where',
        }),
        isLoud: setting.boolean({ default: false, help: '1: it is loud' }),
      }),
    }
    const read = (env: Record<string, string>, flags = {}) => {
      const { values, problems } = readSettings(invented, { env, flags, envFile: '/nowhere/.env' })
      return {
        values: values satisfies { ofTest: number; testGroup: { url: string; isLoud: boolean } | undefined },
        problems,
      }
    }
    expect(named(invented).map(([name, one]) => [name, one.help, unsetWords(one)])).toEqual([
      ['OF_TEST', 'what a test invents', '3'],
      ['TEST_GROUP_URL', 'where', undefined],
      ['TEST_GROUP_IS_LOUD', '1: it is loud', '0'],
    ])
    expect(read({})).toEqual({ values: { ofTest: 3, testGroup: undefined }, problems: [] })
    expect(read({ OF_TEST: '5', TEST_GROUP_URL: 'https://b.test' }, { ofTest: '6' }).values).toEqual({
      ofTest: 6,
      testGroup: { url: 'https://b.test', isLoud: false },
    })
    expect(read({ OF_TEST: '10', TEST_GROUP_IS_LOUD: 'on' }).problems).toEqual([
      'OF_TEST must be a whole number from 1 to 9. For example: OF_TEST=4',
      'TEST_GROUP_URL is missing beside TEST_GROUP_IS_LOUD. For example: TEST_GROUP_URL=https://a.test',
    ])
  })

  it('are written where they are declared and where they are used: no type and no object copies them', () => {
    // Functions of one folder, one key or one address take it as an argument.
    const arguments_ = ['dataDir', 'publicUrl', 'encryptionKey', 'smtpUrl', 'secondFactor', 'criticalEmail']
    const names = Object.keys(declared).filter((name) => /[A-Z]/.test(name) && !arguments_.includes(name))
    expect(names.length).toBeGreaterThan(15)
    const copy = new RegExp(`^ *(${names.join('|')})(\\?: |: settings\\.|: [A-Z]?[a-z]+( \\||$))`, 'gm')
    expect('  signedRangesOnly?: boolean').toMatch(copy)
    const copies = read(trackedFiles().filter((path) => path.startsWith('src/'))).flatMap(({ path, text }) =>
      path === 'src/settings.ts' ? [] : [...text.matchAll(copy)].map(([line]) => `${path}: ${line.trim()}`),
    )
    expect(copies).toEqual([])
  })

  it('stand in the one file of src that is in no folder', () => {
    expect(readdirSync(`${root}src`).filter((name) => name.endsWith('.ts'))).toEqual(['settings.ts'])
  })

  it('are listed for operators, with the default of each', () => {
    const page = readFileSync(`${root}docs/settings.md`, 'utf8')
    for (const { name } of settingsHelp) expect(page).toContain(`\n- \`${name}\``)
    expect(settingsHelp).toHaveLength(named(Object.assign({}, ...Object.values(sections))).length - 3)
  })

  it('are each explained in one line', () => {
    expect(settingsHelp.length).toBeGreaterThan(10)
    for (const { name, help } of settingsHelp) expect(`${name}  ${help}`).toMatch(/^[A-Z_]+ {2}\S.{10,84}[^.]$/)
    const unknown = refusal({ file: 'X=1' })
    expect(unknown).toContain(`Known settings: ${settingsHelp.map(({ name }) => name).join(', ')}`)
  })
})
