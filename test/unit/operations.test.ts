import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { statementName } from '../../src/platform/database/queries-on.ts'

const alerts = readFileSync('ops/prometheus/alerts.yaml', 'utf8')
const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)

describe('every alert', () => {
  it('has a runbook that says what it means, what to look at and what to do', () => {
    const sections = readFileSync('docs/runbooks.md', 'utf8').split(/^## /m).slice(1)
    const complete = sections.filter((text) => /\*\*Means\*\*[\s\S]*\*\*Look at\*\*[\s\S]*\*\*Do\*\*/.test(text))
    expect(names.length).toBeGreaterThan(25)
    expect(complete.map((text) => text.split('\n')[0]).toSorted()).toEqual(names.toSorted())
    for (const name of names) expect(alerts).toContain(`runbook: docs/runbooks.md#${name.toLowerCase()}`)
  })

  it('has a test that it fires, and one that it keeps quiet', () => {
    const tests = readFileSync('ops/prometheus/alerts.test.yaml', 'utf8')
    const wanted = names.flatMap((name) => [`${name} fires`, `${name} keeps quiet`])
    expect([...tests.matchAll(/- name: (.+)/g)].map(([, name = '']) => name).toSorted()).toEqual(wanted.toSorted())
  })
})

it('the dashboard has a title, a place and a question for each panel, and no two on the same place', () => {
  const { uid, schemaVersion, panels, templating } = JSON.parse(readFileSync('ops/grafana/kitlane.json', 'utf8'))
  expect([uid, schemaVersion, templating.list[0].type]).toEqual(['kitlane', expect.any(Number), 'datasource'])
  const cells = new Set<string>()
  for (const { id, type, title, gridPos, targets } of panels) {
    expect([id, title, type]).toEqual([
      expect.any(Number),
      expect.stringMatching(/\w/),
      expect.stringMatching(/^(row|timeseries|stat)$/),
    ])
    if (type !== 'row')
      expect(targets.every(({ expr, datasource }: Record<string, unknown>) => expr && datasource)).toBe(true)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(cells.has(`${x}/${y}`), title).toBe(false)
        expect(x).toBeLessThan(24)
        cells.add(`${x}/${y}`)
      }
  }
})

describe('a statement without a name is called by its verb and tables', () => {
  it.each([
    ['select 1 from "orders" join kits k on true where id = $1', 'select:orders:kits'],
    ['with x as (select id from emails limit 1 for update skip locked) update emails e set a = 1', 'update:emails'],
    ['insert into events (id) select e.id from json_to_recordset($1) as e', 'insert:events'],
    ['select extract(epoch from now()), pg_sleep(1)', 'select'],
  ])('%s', (text, name) => {
    expect(statementName(text)).toBe(name)
  })
})
