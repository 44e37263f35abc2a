import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, pageLoaded, useStage } from '../harness/browser.ts'
import { englishSeen } from '../harness/english.ts'
import { createPageFixtures, type PageFixtures } from '../harness/page-fixtures.ts'
import { routeOf } from '../harness/page-routes.ts'
import {
  businessPages,
  entryPages,
  operatorPages,
  personPages,
  type ShownPage,
  sandboxPages,
} from '../harness/pages.ts'
import { openSample } from '../harness/sample.ts'
import { ownWorld } from '../harness/world.ts'

// A page is looked at as soon as its folder has words in Spanish: those of other folders come without a change here.
const isTranslated = (folder: string): boolean =>
  readFileSync(new URL(`../../web/src/language/es/${folder}.json`, import.meta.url), 'utf8').trim() !== '{}'
const sample = openSample('pages in Spanish')
// By their folders, so that a sample has one of each.
const translated = (pages: readonly ShownPage[]) =>
  sample.draw(
    pages.filter((page) => isTranslated(routeOf(page)?.folder ?? '')),
    (page) => routeOf(page)?.folder ?? '',
    4,
  )

// Names and sources in the catalogue, and the subject of an e-mail to a person who reads English.
const DATA = [
  ...['HIV 1/2 antigen and antibody', 'Your kit is registered', 'It gives values that are too low'],
  ...[/^Your order \w+ is placed$/, /^(guideline|derived-from):/, /^Fuente: Written for this catalogue/],
]
// These also go through axe; all pages do in English.
const CLOSELY = ['sign-in', 'overview', 'order', 'kit', 'settings', 'team', 'account', 'operator-overview', 'pack']

describe('a browser that prefers Spanish', () => {
  // The operator’s lists have just what the fixtures made: words of other tests would be taken for English of the page.
  const stage = useStage(() => ownWorld('looks at lists of all businesses'))
  let fixtures: PageFixtures
  beforeAll(async () => {
    fixtures = await createPageFixtures(stage.world)
  })

  const expectSpanish = async (page: Page, pages: readonly ShownPage[]) => {
    const english: Record<string, string[]> = {}
    for (const { name, path } of translated(pages)) {
      await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
      await pageLoaded(page)
      const seen = await englishSeen(page, DATA)
      if (seen.length > 0) english[name] = seen
      if (CLOSELY.includes(name)) await expectAccessible(page)
    }
    expect(english).toEqual({})
    expect(await page.locator('html').getAttribute('lang')).toBe('es')
  }

  it('reads the pages before signing in, in Spanish', async () => {
    const page = await stage.open('/app/sign-in', { language: 'es-MX' })
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor()
    await expect.poll(() => page.title()).toBe('Iniciar sesión · Kitlane')
    await expectSpanish(page, entryPages)
  })

  it('reads the pages of a business, and of the person, in Spanish', async () => {
    const page = await stage.open('/app/account', { cookie: fixtures.owner.cookie, language: 'es' })
    await page.getByRole('heading', { level: 1, name: 'Su cuenta' }).waitFor()
    await expectSpanish(page, [...personPages, ...businessPages(fixtures), ...sandboxPages(fixtures)])
  })

  it('reads the pages of the operator, in Spanish', async () => {
    const page = await stage.open('/app/operator/pack', { cookie: fixtures.admin.cookie, language: 'es' })
    await page.getByRole('heading', { level: 1, name: 'Empaquetar' }).waitFor()
    await expectSpanish(page, operatorPages(fixtures))
  })

  it('changes to English before signing in, where it stays, and back', async () => {
    const page = await stage.open('/app/sign-in', { language: 'es' })
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await page.reload()
    await expect.poll(() => page.title()).toBe('Sign in · Kitlane')
    await page.getByRole('button', { name: 'Español' }).click()
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor()
  })

  it('changes to English in the account menu, and back', async () => {
    const page = await stage.open('/app/account', { cookie: fixtures.owner.cookie, language: 'es' })
    await page.getByRole('button', { name: 'Su cuenta' }).click()
    await page.getByRole('radiogroup', { name: 'Idioma' }).or(page.getByLabel('Idioma')).getByText('English').click()
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByText('Español').click()
    await page.getByRole('heading', { level: 1, name: 'Su cuenta' }).waitFor()
  })

  it('reads of a refusal what happened and what to do in Spanish, and below it what the service said', async () => {
    const page = await stage.open('/app/sign-in', { language: 'es' })
    await page.getByRole('textbox', { name: /mail|correo/i }).fill('nobody@example.test')
    await page.locator('input[name=password]').fill('not the password')
    await page.getByRole('button', { name: 'Iniciar sesión', exact: true }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Revisar ambas, o pedir una contraseña nueva.').waitFor()
    expect(await alert.locator('[lang=en]').innerText()).toMatch(/\w+ \w+/)
    await expectAccessible(page)
  })
})
