import { it } from 'vitest'

/** Tests of one story: each goes on where the one before it stopped, so that after a failure the rest says nothing. */
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
