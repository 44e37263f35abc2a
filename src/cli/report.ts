import type { Command } from 'commander'
import { z } from 'zod'
import { reportId } from '../domain/id-fields.ts'
import { realmOfReport } from '../modules/reports/locate.ts'
import { publishReviewedReport } from '../modules/reports/versions/publish.ts'
import { text } from '../platform/http/fields.ts'
import { addAdministration, addGroup } from './command.ts'
import { operator } from './session.ts'

export function addReportCommands(root: Command): void {
  const group = addGroup(root, 'report', 'Publish reports that were reviewed.')
  addAdministration(group, {
    name: 'publish',
    summary: 'Publish a reviewed report to the business and its customer.',
    options: {
      '--report <id>': 'the ID of the report',
      '--notified <person>': 'who was just notified of critical results; required if the report has any',
    },
    input: z.object({ report: reportId, notified: text(200).optional() }),
    example: 'kitlane report publish --report R7H3XK9D2C',
    async run(database, { report, notified }) {
      const realm = await database.asSystem(operator, (tx) => realmOfReport(tx, report))
      await database.inRealm(realm, operator, (tx) =>
        publishReviewedReport(tx, report, notified ? { notified: { person: notified, at: tx.now.toISOString() } } : {}),
      )
      return { json: { id: report, status: 'published' }, text: `Published the report ${report}.` }
    },
  })
}
