import { it } from 'vitest'

/** Tests of one story. Each continues where the previous one stopped, so all tests after a failure are skipped. */
export function story(): (name: string, run: () => Promise<void>) => void {
  let isBroken = false
  return (name, run) =>
    it(name, async (context) => {
      if (isBroken) context.skip('a step before it failed')
      isBroken = true
      await run()
      isBroken = false
    })
}
