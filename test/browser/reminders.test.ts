import { beforeAll, describe, expect, it } from 'vitest'
import { useStage } from '../harness/browser.ts'
import { anOrder } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import type { TestBusiness } from '../harness/world.ts'

describe('reminders in the dashboard', () => {
  const stage = useStage()
  let clinic: TestBusiness
  let admin: SignedIn
  const realm = () => `/app/b/${clinic.id}/live`

  beforeAll(async () => {
    clinic = await stage.world.business({ credits: 20 })
    admin = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
  })

  it('begin with what is usual, are said in words, and are seen in each language', async () => {
    const page = await stage.open(`${realm()}/settings/reminders`, { cookie: admin.cookie })
    await page.getByRole('button', { name: 'Use the usual reminders' }).click()
    const first = page.getByRole('region', { name: 'Reminder 1' })
    await first
      .getByText('7 days after it arrived and nobody registered it, then every 7 days, 3 times in all.')
      .waitFor()
    await first.getByRole('textbox', { name: 'After days' }).fill('4')
    await page.getByRole('region', { name: 'Reminder 4' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    const { rules } = (await clinic.live.get('/reminders')).body
    expect(rules.map(({ stage: at, afterDays }: Record<string, unknown>) => [at, afterDays])).toEqual([
      ['parcel', 10],
      ['post', 5],
      ['register', 4],
    ])
    await page.getByText('Please register your kit').first().waitFor()
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Deutsch' }).click()
    await page.getByText('Bitte registrieren Sie Ihr Testset').first().waitFor()
    await page.getByRole('button', { name: 'Send it to us' }).click()
    await page.getByText('Set `contactEmail` in the settings first').waitFor()
  })

  it('about a kit stand on its page, with what comes next or why nothing does', async () => {
    const kitOf = async (isNotifyReceiver: boolean) => {
      const { body } = await clinic.live.post('/create-order', anOrder({ isNotifyReceiver }))
      return (await clinic.live.get(`/orders/${body.orderId}`)).body.kits[0].kitID as string
    }
    const page = await stage.open(`${realm()}/kits/${await kitOf(true)}`, { cookie: admin.cookie })
    await page.getByText('No rule fits where the kit stands.').waitFor()
  })
})
