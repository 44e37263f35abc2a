import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { noChannels, type OperatorChannels } from './domain/operator-channels.ts'

const webUrl = z.string().refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
const email = z.string().pipe(z.email())

const isFile = (text: string) => URL.canParse(text) && text.startsWith('file:///') && isAbsolute(fileURLToPath(text))
const file = z
  .string()
  .refine(isFile)
  .transform((text) => fileURLToPath(text))
const mailbox = z
  .string()
  .regex(/^mailto:/)
  .transform((text) => text.slice('mailto:'.length))
  .pipe(z.email())

type StreamTarget = { file: string } | { url: string }

const limit = z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(1).max(1_000_000))

/** The settings by which the operator watches the audit; config.ts includes them. */
export const oversightSettings = {
  AUDIT_STREAM: {
    schema: z.union([
      file.transform((path): StreamTarget => ({ file: path })),
      webUrl.transform((url): StreamTarget => ({ url })),
    ]),
    must: 'the file:// URL of a file, or the URL of a webhook',
    example: 'file:///var/log/kitlane/audit.jsonl',
    help: 'a file of JSON lines or a webhook that gets the audit (default: none)',
  },
  AUDIT_ANCHORS: {
    schema: z
      .string()
      .transform((text) => text.split(',').map((one) => one.trim()))
      .pipe(
        z
          .array(
            z.union([mailbox.transform((address) => ({ email: address })), file.transform((path) => ({ file: path }))]),
          )
          .min(1),
      ),
    must: 'mailto: addresses and file:// URLs, separated by commas',
    example: 'mailto:auditor@example.com,file:///mnt/elsewhere/anchors.txt',
    help: 'where the ends of the audit chains are written each night (default: nowhere)',
  },
  OPERATOR_WEBHOOK_URL: {
    schema: webUrl,
    must: 'an https URL',
    example: 'https://alerts.example.com/kitlane',
    help: 'the webhook that alarms are sent to (default: none)',
  },
  OPERATOR_WEBHOOK_SECRET: {
    schema: z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/),
    must: 'whsec_ and at least 24 random bytes in base64',
    example: 'whsec_<what openssl rand -base64 24 prints>',
    help: 'signs what is sent to OPERATOR_WEBHOOK_URL and to a webhook in AUDIT_STREAM',
  },
  ALARM_EMAIL: {
    schema: email,
    must: 'an e-mail address',
    example: 'security@example.com',
    help: 'the address that alarms are sent to (default: none)',
  },
  CRITICAL_EMAIL: {
    schema: email,
    must: 'an e-mail address',
    example: 'oncall@example.com',
    help: 'is told of critical results that no business acknowledged (default: nobody)',
  },
  ALARM_REFUSALS: {
    schema: limit,
    must: 'a whole number from 1 to 1000000',
    example: '50',
    help: 'refusals of a caller or network in ten minutes that raise an alarm (default: 50)',
  },
  ALARM_PEOPLE: {
    schema: limit,
    must: 'a whole number from 1 to 1000000',
    example: '1000',
    help: 'people whose data a caller may read in an hour without an alarm (default: 1000)',
  },
}

/** What these settings say, checked together. */
export interface OversightConfig {
  webhook?: { url: string; secret: string }
  channels: Omit<OperatorChannels, 'hook'>
  /** Where the audit is sent to. */
  stream?: { file: string } | { url: string; secret: string }
}

type Settings = typeof oversightSettings
type Read = <T>(
  name: keyof Settings,
  setting: { schema: z.ZodType<T>; must: string; example: string; help: string },
) => T | undefined

/** Reads the settings; what is missing becomes a problem in words. */
export function readOversight(read: Read, problems: string[]): OversightConfig {
  const known = problems.length
  const settings = oversightSettings
  const stream = read('AUDIT_STREAM', settings.AUDIT_STREAM)
  const anchors = read('AUDIT_ANCHORS', settings.AUDIT_ANCHORS) ?? []
  const url = read('OPERATOR_WEBHOOK_URL', settings.OPERATOR_WEBHOOK_URL)
  const secret = read('OPERATOR_WEBHOOK_SECRET', settings.OPERATOR_WEBHOOK_SECRET)
  const alarmEmail = read('ALARM_EMAIL', settings.ALARM_EMAIL)
  const criticalEmail = read('CRITICAL_EMAIL', settings.CRITICAL_EMAIL)
  const { limits: usual } = noChannels
  const limits = {
    refusals: read('ALARM_REFUSALS', settings.ALARM_REFUSALS) ?? usual.refusals,
    people: read('ALARM_PEOPLE', settings.ALARM_PEOPLE) ?? usual.people,
  }
  const signs = url !== undefined || (stream && 'url' in stream)
  if (signs && secret === undefined && problems.length === known) {
    const { example } = settings.OPERATOR_WEBHOOK_SECRET
    problems.push(
      `OPERATOR_WEBHOOK_SECRET is missing beside the webhook. For example: OPERATOR_WEBHOOK_SECRET=${example}`,
    )
  }
  return {
    ...(url && secret && { webhook: { url, secret } }),
    channels: {
      ...(alarmEmail && { alarmEmail }),
      ...(criticalEmail && { criticalEmail }),
      anchors: {
        emails: anchors.flatMap((one) => ('email' in one ? [one.email] : [])),
        files: anchors.flatMap((one) => ('file' in one ? [one.file] : [])),
      },
      limits,
    },
    ...(stream && 'file' in stream && { stream }),
    ...(stream && 'url' in stream && secret && { stream: { url: stream.url, secret } }),
  }
}
