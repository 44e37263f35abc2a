import { resolve } from 'node:path'
import { StartError } from '../domain/errors.ts'
import { maybeReadEncryptionKey } from '../platform/key-file.ts'
import { type Read, readSettings } from '../platform/settings.ts'
import { declared, type Settings } from '../settings.ts'
import { backupBucketOf, filePlaceOf, kmsOf } from './aws.ts'

/** What the command line gives: the same rules apply to it as to the environment. */
export interface Flags {
  port?: string
  host?: string
  data?: string | undefined
  role?: string
  demo?: boolean
  migrate?: boolean
}

/**
 * Loads the settings: flags, then the environment, then `.env` in the working directory, then defaults. Throws one StartError
 * that lists every problem and shows no value, since a value may be a secret.
 *
 * Without ENCRYPTION_KEY, `kitlane start` makes a key once and keeps it in `<dataDir>/encryption.key`: enough for one machine.
 * `--role api` and `--role worker` on a DATABASE_URL are for several, which cannot share it, so they refuse to start.
 */
export function loadSettings(input: {
  env: Record<string, string | undefined>
  flags: Flags
  envFile?: string
}): Settings {
  const { env, flags, envFile = resolve('.env') } = input
  const read = readSettings(declared, { env, flags: { ...flags }, envFile })
  const problems = [...read.problems, ...contradictions(read)]
  if (problems.length > 0) {
    throw new StartError(`Kitlane cannot run with these settings:\n${problems.map((text) => `- ${text}`).join('\n')}`)
  }
  const settings = { ...read.values, dataDir: resolve(read.values.dataDir) }
  // The demo prints its password, so it demands no second factor by itself.
  if (settings.demo && !read.given.has('SECOND_FACTOR')) settings.secondFactor = 'optional'
  return settings
}

/** The settings for one command. The service's key seals what a command writes, such as the links in e-mails. */
export function settingsForCommand(data: string | undefined): Settings {
  const settings = loadSettings({ env: process.env, flags: { data } })
  return { ...settings, encryptionKey: settings.encryptionKey ?? maybeReadEncryptionKey(settings.dataDir) }
}

/** What one setting alone does not show. A malformed one gets no second message. */
function* contradictions({ values: settings, given }: Read<typeof declared>): Generator<string> {
  const { stripe, backup, files } = settings
  const modeOf = (key: string) => key.split('_')[1]
  if (given.has('STRIPE_PUBLISHABLE_KEY') && !given.has('STRIPE_SECRET_KEY'))
    yield 'STRIPE_SECRET_KEY is missing beside STRIPE_PUBLISHABLE_KEY'
  else if (stripe.secretKey && stripe.publishableKey && modeOf(stripe.secretKey) !== modeOf(stripe.publishableKey))
    yield 'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be test keys or both live keys'
  if (settings.kms && !kmsOf(settings))
    yield 'KMS_KEY_ID needs AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY beside it. For example: AWS_REGION=eu-central-1'
  for (const [name, url] of Object.entries({ FILES_URL: files.url, NUMBERS_TO: settings.numbersTo })) {
    if (url?.startsWith('s3:') && !filePlaceOf(settings, url))
      yield `${name} needs FILES_REGION, FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY, or those of AWS, beside it. For example: FILES_REGION=eu-central-1`
  }
  const inBucket = Object.entries({ BACKUP_TO: backup.to, ARCHIVE_TO: settings.archive?.to }).find(([, to]) =>
    to?.startsWith('s3:'),
  )
  if (inBucket && !backupBucketOf(settings))
    yield `${inBucket[0]} in s3:// needs AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY beside it. For example: AWS_REGION=eu-central-1`
  const isSpread = given.has('DATABASE_URL') && settings.role !== 'all'
  if (isSpread && !given.has('ENCRYPTION_KEY') && !settings.kms)
    yield `ENCRYPTION_KEY is missing: --role ${settings.role} on a DATABASE_URL needs the key that all its machines share: ${declared.encryptionKey.must}. For example: ENCRYPTION_KEY=<what it prints>`
  if (isSpread && backup.to && !backup.key)
    yield `BACKUP_KEY is missing beside BACKUP_TO: the machines of a DATABASE_URL cannot share a key that one of them makes. For example: BACKUP_KEY=${declared.backup.key.example}`
  if (given.has('METRICS_HOST') && !given.has('METRICS_PORT'))
    yield 'METRICS_PORT is missing beside METRICS_HOST. For example: METRICS_PORT=9464'
  const signs = settings.operatorWebhook.url ?? (settings.auditStream && 'url' in settings.auditStream)
  if (signs && !given.has('OPERATOR_WEBHOOK_SECRET'))
    yield `OPERATOR_WEBHOOK_SECRET is missing beside the webhook. For example: OPERATOR_WEBHOOK_SECRET=${declared.operatorWebhook.secret.example}`
}
