import { it } from 'vitest'

it('lasts until it is interrupted', async () => {
  process.stdout.write('the test runs\n')
  await new Promise((resolve) => setTimeout(resolve, 600_000))
})
