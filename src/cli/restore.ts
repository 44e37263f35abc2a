import type { Command } from 'commander'
import type { Proof } from '../modules/backups/prove.ts'
import type { SignatureState } from '../platform/backup/signature.ts'
import { createLogger } from '../platform/log.ts'
import { settingsForCommand } from '../service/load-settings.ts'
import { table } from './command.ts'
import { openForCommand } from './open-database.ts'
import { progressLine } from './progress.ts'
import { operator } from './session.ts'

interface Flags {
  json?: boolean
  data?: string
  check?: boolean
  allowUnsigned?: boolean
}

export function addRestoreCommand(root: Command): void {
  root
    .command('restore')
    .description('Restore a backup into an empty database, and prove that everything is there.')
    .argument('<from>', 'the file of a backup, or s3://bucket/key')
    .option('--check', 'restore nothing: read the backup to its end, and say whether it is whole')
    .option(
      '--allow-unsigned',
      'restore a backup that is not signed with this encryption key: you vouch for its origin',
    )
    .option('--json', 'print JSON only')
    .option('--data <folder>', 'the data folder (default: ./data)')
    .addHelpText(
      'after',
      '\nExample:\n  kitlane restore /mnt/elsewhere/kitlane-20301231T010000Z.tar.zst.age --data ./restored',
    )
    .action(restore)
}

async function restore(from: string, { json, data, check, allowUnsigned = false }: Flags): Promise<void> {
  process.umask(0o077)
  const settings = settingsForCommand(data)
  // Imported here, so that help does not load the server's libraries.
  const { openBackup, restoreFrom } = await import('../service/restore.ts')
  const log = createLogger({ level: 'silent' })
  const progress = progressLine(check ? 'Check' : 'Restore')
  const backup = await openBackup(from, { settings, log })
  try {
    if (check) {
      const head = await backup.check()
      print(
        json,
        [],
        { ...head, whole: true },
        `${from} is whole: made at ${head.takenAt} by Kitlane ${head.release}, schema ${head.schemaVersion}, ${head.rows} rows of ${head.tables} tables, ${head.files} files. ${signatures[head.signature]}`,
      )
      return
    }
    const opened = await openForCommand(settings, 'kitlane restore', { creates: true })
    try {
      const started = performance.now()
      const { head, proofs } = await restoreFrom(backup, {
        urls: opened.urls,
        settings,
        actor: operator,
        allowUnsigned,
        progress: progress.show,
      }).finally(progress.end)
      const seconds = Math.round((performance.now() - started) / 100) / 10
      const isRight = proofs.every(({ ok }) => ok)
      const end = isRight
        ? `Restored ${from}, as of ${head.takenAt}, in ${seconds} s.`
        : `The database is not what the backup holds. Do not use it: restore into another empty database, and report this.`
      print(json, proofs, { takenAt: head.takenAt, release: head.release, seconds, ok: isRight, proofs }, end)
      if (!isRight) process.exitCode = 1
    } finally {
      await opened.stop()
    }
  } finally {
    await backup.close()
  }
}

const signatures: Readonly<Record<SignatureState, string>> = {
  valid: 'It is signed with this encryption key.',
  none: 'It is not signed, as releases before signatures left it: a restore needs --allow-unsigned.',
  wrong: 'Its signature was not made with this encryption key, or what is signed was changed: find out who made it.',
}

function print(json: boolean | undefined, proofs: readonly Proof[], value: unknown, sentence: string): void {
  const rows = proofs.map(({ what, expected, found, ok }) => [what, expected, found, ok ? 'right' : 'WRONG'])
  const text = rows.length > 0 ? [table([['WHAT', 'EXPECTED', 'FOUND', ''], ...rows]), sentence].join('\n\n') : sentence
  console.log(json ? JSON.stringify(value, null, 2) : text)
}
