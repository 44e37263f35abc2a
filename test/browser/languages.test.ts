import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, pageLoaded, useStage } from '../harness/browser.ts'
import { englishSeen } from '../harness/english.ts'
import { createPageFixtures, type PageFixtures } from '../harness/page-fixtures.ts'
import {
  businessPages,
  entryPages,
  operatorPages,
  personPages,
  type ShownPage,
  sandboxPages,
} from '../harness/pages.ts'

describe('a browser that prefers Spanish', () => {
  const stage = useStage()
  let fixtures: PageFixtures
  beforeAll(async () => {
    fixtures = await createPageFixtures(stage.world)
  })

  it('x', async () => {
    const { owner, admin } = fixtures
    const all: Record<string, string[]> = {}
    const go = async (page: Page, pages: ShownPage[]) => {
      for (const { name, path } of pages) {
        await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
        await pageLoaded(page)
        const e = await englishSeen(page)
        if (e.length) all[name] = e
      }
    }
    await go(await stage.open('/app/sign-in', { language: 'es-MX' }), entryPages)
    await go(await stage.open('/app/', { cookie: owner.cookie, language: 'es' }), [
      ...businessPages(fixtures),
      ...sandboxPages(fixtures),
      ...personPages,
    ])
    await go(await stage.open('/app/operator', { cookie: admin.cookie, language: 'es' }), operatorPages(fixtures))
    const { writeFileSync } = await import('node:fs')
    writeFileSync('/tmp/w/words-scratch/english.json', JSON.stringify(all, null, 1))
  })
})
