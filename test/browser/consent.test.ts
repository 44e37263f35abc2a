import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { moveKit } from '../../src/modules/kits/move.ts'
import { graveFindings, quiet, useStage } from '../harness/browser.ts'
import { CORE } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'
import type { TestBusiness } from '../harness/world.ts'

// A panel that no other test orders: its ages are the same for every business.
const FOR_MINORS = 'ED2KXO3EE'

describe('consent', () => {
  const stage = useStage()
  let clinic: TestBusiness
  let owner: SignedIn
  let admin: SignedIn
  let at: ReturnType<typeof recipients>
  /** Everybody can use the page as it stands. */
  const look = async (page: Page, name: string) => {
    await quiet(page)
    await expect.poll(() => page.locator('.mantine-Notification-root').count()).toBe(0)
    expect(await graveFindings(page), name).toEqual([])
  }

  beforeAll(async () => {
    clinic = await stage.world.business({ name: 'Harbor Clinic', credits: 100, panels: [CORE, FOR_MINORS] })
    owner = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
    admin = await signIn(stage.world, await person(stage.world, 'operator-admin'))
    at = recipients(stage.world)
  })

  it('is published by a business, given on the page without a script, and taken back by the person', async () => {
    const page = await stage.open(`/app/b/${clinic.id}/live/settings/consent`, { cookie: owner.cookie })
    await page.getByText("The operator's", { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Publish a text' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Text' }).fill('Our own words.\n\n# In full\n\n- One\n- Two')
    await look(page, 'publish')
    await dialog.getByRole('button', { name: 'Publish a text' }).click()
    await page.getByText('Our own words.').waitFor()
    await look(page, 'texts')

    const kitId = await at.newKit(clinic)
    const phone = await stage.open(`/k/${kitId}/consent`, { size: 'phone', scripts: false })
    await phone.getByText('Our own words.').waitFor()
    await phone.getByText('Read the full text').click()
    const { email } = await at.register(kitId)
    const [link = ''] = await at.linksTo(email)
    await phone.goto(link)
    await phone.getByLabel('Day').fill('9')
    await phone.getByLabel('Month').selectOption('12')
    await phone.getByLabel('Year').fill('1956')
    await phone.getByRole('button', { name: 'Continue' }).click()
    await phone.getByRole('link', { name: 'What you agreed to' }).click()
    await phone.getByRole('link', { name: 'Take back my consent' }).click()
    await phone.getByText('The test stops.').waitFor()
    await phone.getByRole('button', { name: 'Take back my consent' }).click()
    await phone.getByText('It is done').waitFor()

    await page.goto(`/app/b/${clinic.id}/live/kits/${kitId}`)
    await page.getByText('The test stopped.').waitFor()
    await look(page, 'kit')
    expect(await page.getByRole('button', { name: 'Take back the consent' }).count()).toBe(0)
  })

  it('is taken back by the business after the sample arrived, and the operator confirms that the laboratory knows', async () => {
    const kitId = await at.newKit(clinic)
    await at.register(kitId)
    await at.inRealm(clinic, (tx) => moveKit(tx, kitId, 'sampleReceived'))
    const page = await stage.open(`/app/b/${clinic.id}/live/kits/${kitId}`, { cookie: owner.cookie })
    await page.getByRole('button', { name: 'Take back the consent' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'The whole consent' }).check()
    await look(page, 'withdraw')
    await dialog.getByRole('button', { name: 'Take back the consent' }).click()
    await page.getByText('the result is kept').waitFor()
    const lab = await stage.open('/app/operator/withdrawn', { cookie: admin.cookie })
    const one = lab.getByRole('article', { name: `Kit ${kitId}` })
    await one.waitFor()
    await look(lab, 'untold')
    await one.getByRole('button', { name: 'The laboratory knows' }).click()
    await lab.getByRole('dialog').getByRole('button', { name: 'The laboratory knows' }).click()
    await one.waitFor({ state: 'detached' })
  })

  it('of a minor is asked of the parent, once the operator says that the panel is for minors', async () => {
    const operator = await stage.open('/app/operator/catalogue?tab=panels', { cookie: admin.cookie })
    const row = operator.getByRole('row').filter({ hasText: FOR_MINORS })
    await row.getByRole('button', { name: 'Change ages' }).click()
    const dialog = operator.getByRole('dialog')
    await dialog.getByLabel('Youngest').fill('12')
    await dialog.getByRole('button', { name: 'Change ages' }).click()
    await row.getByText('12 or more').waitFor()
    await look(operator, 'ages')
    const kitId = await at.newKit(clinic, 'live', { kit_types: [{ kitType: FOR_MINORS }] })
    const phone = await stage.open(`/k/${kitId}/consent`, { size: 'phone', scripts: false })
    await phone.getByLabel('I agree to the test').check()
    await phone.getByRole('button', { name: 'Continue' }).click()
    const year = String(new Date().getUTCFullYear() - 14)
    const typed = { 'First name': 'Tim', 'Last name': 'Hopper', 'E-mail address': at.newEmail(), Day: '9', Year: year }
    for (const [label, value] of Object.entries(typed))
      await phone.getByLabel(label, { exact: true }).first().fill(value)
    await phone.getByLabel('Month').selectOption('1')
    await phone.getByLabel('Male', { exact: true }).check()
    await phone.getByRole('button', { name: 'Continue' }).click()
    await phone.getByRole('link', { name: 'Write your own first name.' }).waitFor()
    await phone.getByLabel('Your first name').fill('Grace')
    await phone.getByLabel('Your last name').fill('Hopper')
    await phone.getByLabel('Parent', { exact: true }).check()
    await phone.getByRole('button', { name: 'Continue' }).click()
    await phone.getByText('Grace Hopper (parent)').waitFor()
    await phone.getByRole('button', { name: 'Register this kit' }).click()
    await phone.getByText('Your kit is registered').first().waitFor()
    const page = await stage.open(`/app/b/${clinic.id}/live/kits/${kitId}`, { cookie: owner.cookie })
    await page.getByText('Grace Hopper (parent)').first().waitFor()
    await look(page, 'minor')
  })
})
