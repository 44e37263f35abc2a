import type { Command } from 'commander'
import { z } from 'zod'
import { realmOfReport } from '../modules/operator/locate.ts'
import { publish } from '../modules/reports/publish.ts'
import { reportId } from '../platform/http/fields.ts'
import { addAdministration, addGroup } from './command.ts'
import { operator } from './session.ts'

export function addReportCommands(root: Command): void {
  const group = addGroup(root, 'report', 'Publish reports that were reviewed.')
  addAdministration(group, {
    name: 'publish',
    summary: 'Let a business and its customer see a report that was reviewed.',
    options: { '--report <id>': 'the ID of the report' },
    input: z.object({ report: reportId }),
    example: 'kitlane report publish --report R7H3XK9D2C',
    async run(database, { report }) {
      const realm = await database.asSystem(operator, (tx) => realmOfReport(tx, report))
      await database.inRealm(realm, operator, (tx) => publish(tx, report))
      return { json: { id: report, status: 'published' }, text: `Published the report ${report}.` }
    },
  })
}
