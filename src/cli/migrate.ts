import type { Command } from 'commander'
import { loadSettings } from '../service/load-settings.ts'
import { openForCommand } from './open-database.ts'

export function addMigrateCommand(root: Command): void {
  root
    .command('migrate')
    .description('Bring the database to what this release expects. `kitlane start` does it too; repeating it is safe.')
    .option('--json', 'print JSON only')
    .option('--data <folder>', 'the data folder (default: ./data)')
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://kitlane:secret@db.example.com/kitlane kitlane migrate')
    .action(async ({ json, data }: { json?: boolean; data?: string }) => {
      const settings = loadSettings({ env: process.env, flags: { data } })
      const opened = await openForCommand(settings, 'kitlane migrate', { creates: true })
      try {
        const { prepareDatabase } = await import('../service/app.ts')
        const { applied, version } = await prepareDatabase(opened.urls, undefined, console.error)
        const changes = applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'There was nothing to do.'
        console.log(
          json ? JSON.stringify({ applied, version }, null, 2) : `The schema is at version ${version}. ${changes}`,
        )
      } finally {
        await opened.stop()
      }
    })
}
