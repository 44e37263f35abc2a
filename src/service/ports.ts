import { join } from 'node:path'
import type { Archives } from '../domain/archives.ts'
import { type Backups, scheduleOf } from '../domain/backups.ts'
import { StartError } from '../domain/errors.ts'
import type { FileStore } from '../domain/file-store.ts'
import type { Mailer } from '../domain/mailer.ts'
import type { OperatorChannels, OperatorHook } from '../domain/operator-channels.ts'
import type { Gateway } from '../domain/payment-gateway.ts'
import type { Ports } from '../domain/ports.ts'
import { modulesOf } from '../modules/define-module.ts'
import { laboratoryCaller } from '../modules/lab-orders/call.ts'
import { shippingCaller } from '../modules/labels/call.ts'
import { stripeHook } from '../modules/orders/payment/stripe-hook.ts'
import { simulatedGateway } from '../modules/payments/gateways/simulated.ts'
import { createTwilio } from '../modules/text-messages/twilio.ts'
import { createOperatorHook } from '../modules/webhooks/operator-hook.ts'
import { createArchives, createBackups } from '../platform/backup/backups.ts'
import { type BackupKey, keepBackupKey, maybeReadBackupKey, readBackupKey } from '../platform/backup/key.ts'
import type { Clock } from '../platform/clock.ts'
import { type SecretKey, secretKey } from '../platform/crypto.ts'
import type { Database, Mode } from '../platform/database/tx.ts'
import type { Egress } from '../platform/egress/client.ts'
import { fileFetcher } from '../platform/egress/file.ts'
import { shopCaller } from '../platform/egress/shop.ts'
import { folderStore } from '../platform/files/folder-store.ts'
import { checkedStore } from '../platform/files/open-store.ts'
import type { Hook } from '../platform/http/hooks.ts'
import type { Logger } from '../platform/log.ts'
import { VERSION } from '../platform/package-root.ts'
import type { PortsOf } from '../platform/ports/realm-ports.ts'
import type { KeyProvider } from '../platform/sealing/key-provider.ts'
import type { Settings } from '../settings.ts'
import { backupBucketOf, filePlaceOf } from './aws.ts'

export interface OpenedPorts {
  portsOf: PortsOf
  egress: Egress
  /** @throws StartError with files of another installation. A store that is away for now keeps nobody from ordering. */
  checkFiles(): Promise<void>
  /** The signed webhook of the operator with this address. */
  operatorHook(target: { url: string; secret: string }): OperatorHook
  /** Where the other systems tell us something. */
  hooks: Hook[]
}

/** Opens the ways to other systems, by mode: what works for the sandbox is never given a live one. */
export async function openPorts(options: {
  database: Database
  clock: Clock
  log: Logger
  settings: Settings
  egress: Egress
  /** The master key. */
  provider: KeyProvider
  /** Of the database, past any pooler. */
  url: string
}): Promise<OpenedPorts> {
  const { database, clock, log, settings, egress } = options
  const live = await liveGateway(settings, egress, { database, clock })
  const simulated = simulatedGateway({ database })
  const callShop = shopCaller(egress)
  const fetchFile = fileFetcher(egress, settings.uploadHosts ?? [])
  const store = await openStore(settings, egress)
  const fileStore = checkedStore(store, () => database)
  const operatorHook = (target: { url: string; secret: string }) =>
    createOperatorHook({ egress, clock, ...target, allowLoopback: settings.allowLoopbackWebhooks })
  const { twilio, numbersTo } = settings
  const byMode: Record<Mode, Ports> = {
    sandbox: { gateway: simulated, fetchFile, fileStore, callShop },
    live: {
      gateway: live?.gateway ?? simulated,
      mailer: await mailerOf(settings),
      ...(twilio && { texter: createTwilio(twilio, egress, () => database.context.publicUrl) }),
      operator: channelsOf(settings, operatorHook),
      fetchFile,
      fileStore,
      callShop,
      callLaboratory: laboratoryCaller(egress, settings.labOrders),
      callShipping: shippingCaller(egress, settings.labelsApiUrl),
      ...(numbersTo && { numbers: await storeAt(settings, numbersTo, egress) }),
      ...backupsOf({ ...options, files: store }),
    },
  }
  return {
    portsOf(mode) {
      const ports = byMode[mode]
      if (!ports) throw new Error(`unknown mode ${String(mode)}`)
      return ports
    },
    egress,
    checkFiles: () => checkAtStart(fileStore, log),
    operatorHook,
    hooks: [
      ...(live ? [live.hook] : []),
      ...modulesOf(database.context).flatMap(({ hooks }) => hooks?.(database) ?? []),
    ],
  }
}

/** Where the operator gets notices. */
function channelsOf(settings: Settings, hookOf: OpenedPorts['operatorHook']): OperatorChannels {
  const { operatorWebhook, alarm, criticalEmail, auditAnchors } = settings
  const { url, secret } = operatorWebhook
  return {
    ...(url && secret && { hook: hookOf({ url, secret }) }),
    ...(alarm.email && { alarmEmail: alarm.email }),
    ...(criticalEmail && { criticalEmail }),
    anchors: {
      emails: auditAnchors.flatMap((one) => ('email' in one ? [one.email] : [])),
      files: auditAnchors.flatMap((one) => ('file' in one ? [one.file] : [])),
    },
    limits: alarm,
  }
}

async function checkAtStart(files: { check(): Promise<void> }, log: Logger): Promise<void> {
  try {
    await files.check()
  } catch (err) {
    if (err instanceof StartError) throw err
    log.warn({ err }, 'the files cannot be reached: uploads are refused until they can')
  }
}

function backupsOf(options: {
  settings: Settings
  egress: Egress
  provider: KeyProvider
  files: FileStore
  url: string
  log: Logger
}): { backups: Backups; archives: Archives } {
  const { settings, egress, log } = options
  const s3 = backupBucketOf(settings)
  const key = async () => {
    const found = await backupKeyOf(settings)
    if (found.isNew) log.warn(`a key for backups was made, ${settings.dataDir}/backup.key: keep a copy of it elsewhere`)
    return found
  }
  return {
    backups: createBackups({ ...options, key, s3, schedule: scheduleOf(settings.backup), release: VERSION }),
    archives: createArchives({ key, s3, egress, plan: settings.archive }),
  }
}

/** The key that opens backups; none is made. */
export async function backupKeyToOpen(settings: Settings): Promise<BackupKey> {
  const { backup, dataDir } = settings
  const found = backup.key === undefined ? await maybeReadBackupKey(dataDir) : await backupKeyOf(settings)
  if (found) return found
  throw new StartError(
    'The key of the backup is missing. Set BACKUP_KEY to the secret key (AGE-SECRET-KEY-1…) that was in use when it was made, or put that backup.key into the data folder.',
  )
}

/** The key of the settings, or the one in the data folder, which is created if missing. */
async function backupKeyOf({ backup, dataDir }: Settings): Promise<BackupKey & { isNew: boolean }> {
  if (backup.key === undefined) return keepBackupKey(dataDir)
  const key = await readBackupKey(backup.key)
  if (key) return { ...key, isNew: false }
  throw new StartError(
    'BACKUP_KEY is not a valid age key: one of its characters is wrong. Copy it again; `age-keygen` makes keys.',
  )
}

/** Where the settings keep files. It does not check whose they are. */
export const openStore = async (settings: Settings, egress: Egress): Promise<FileStore> =>
  storeAt(settings, settings.files.url ?? join(settings.dataDir, 'files'), egress)

async function storeAt(settings: Settings, url: string, egress: Egress): Promise<FileStore> {
  const place = filePlaceOf(settings, url)
  if (!place)
    throw new StartError(`The bucket ${url} needs a region and credentials. Set FILES_REGION and those of AWS.`)
  if ('folder' in place) return folderStore(place.folder)
  // Loaded only where it is used: the SDK is large.
  const { s3Store } = await import('../platform/files/s3-store.ts')
  return s3Store({ ...place.s3, egress, loopback: place.loopback })
}

/** The master keys that this process was given, the newest first. */
export const masterKeysOf = ({ encryptionKey, encryptionKeyPrevious }: Settings): SecretKey[] =>
  [encryptionKey, encryptionKeyPrevious].filter((bytes) => bytes !== undefined).map(secretKey)

async function liveGateway(
  { stripe }: Settings,
  egress: Egress,
  { database, clock }: { database: Database; clock: Clock },
): Promise<{ gateway: Gateway; hook: Hook } | undefined> {
  const { secretKey, ...others } = stripe
  if (!secretKey) return undefined
  // Loaded only where it is used: the SDK is large.
  const { createStripe } = await import('../modules/payments/gateways/stripe.ts')
  const gateway = createStripe({ secretKey, ...others, egress })
  return { gateway, hook: stripeHook(gateway, database, clock) }
}

async function mailerOf({ smtpUrl, publicUrl }: Settings): Promise<Mailer | undefined> {
  if (!smtpUrl) return undefined
  const { createSmtpMailer } = await import('../modules/emails/smtp.ts')
  return createSmtpMailer({ smtpUrl, publicUrl })
}
