// `npm run pictures -- DATA`: takes the README's pictures from a running demo whose data is in DATA, once its companies have lived.
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Page } from 'playwright-core'
import { launchChromium } from '../harness/chromium.ts'

const folder = resolve(import.meta.dirname, '../../docs/images')
const [data = 'data'] = process.argv.slice(2)
const demo = JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))
const browser = await launchChromium()
const page = await browser.newPage({ baseURL: demo.baseUrl, viewport: { width: 1280, height: 800 } })

const take = async (of: Page, name: string) => {
  await of.waitForLoadState('networkidle')
  const image = await loadImage(await of.screenshot())
  const canvas = createCanvas(image.width, image.height)
  canvas.getContext('2d').drawImage(image, 0, 0)
  // Half the bytes of a PNG, and the package holds them.
  await writeFile(join(folder, `${name}.webp`), await canvas.encode('webp', 85))
}
/** Opens what the first row of a list is about in which the text stands. */
const openRow = async (path: string, text: RegExp) => {
  await page.goto(path)
  const link = page.getByRole('row').filter({ hasText: text }).first().getByRole('link').first()
  await page.goto((await link.getAttribute('href')) ?? path)
  await page.locator('main h2').first().waitFor()
}

await page.goto('/app/')
await take(page, 'sign-in')
await page.getByLabel('E-mail').fill(demo.dashboard.email)
await page.getByRole('textbox', { name: 'Password' }).fill(demo.dashboard.password)
await page.getByRole('button', { name: 'Sign in' }).click()
await page.getByText('What needs you now').waitFor()
await page.getByRole('heading', { name: 'Now' }).waitFor()
await take(page, 'operator')
await openRow('/app/operator/review', /critical/)
await take(page, 'review')
await page.goto('/app/operator/')
await page.getByRole('button', { name: 'Operator' }).click()
await page.getByRole('menuitem', { name: 'Harbor Health (demo)' }).click()
await page.getByText('What happened').waitFor()
await take(page, 'business')
const business = new URL(page.url()).pathname
await openRow(`${business}/kits?size=100`, /Report published/)
await take(page, 'kit')
await openRow(`${business}/kits`, /Delivered/)
const phone = await browser.newPage({ baseURL: demo.baseUrl, viewport: { width: 390, height: 844 } })
await phone.goto(`/k/${page.url().split('/').at(-1)}`)
await take(phone, 'recipient')
await browser.close()
