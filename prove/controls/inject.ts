// Puts the mistake of the control that CONTROL names into this process and its children: node --import <this file>.
// With CONTROL_HARMLESS the same exports are wrapped, and do what they always do.
import { registerHooks } from 'node:module'
import { controls, type Fault } from './mistakes.ts'

const control = controls.find(({ what }) => what === process.env.CONTROL)
if (!control) throw new Error(`There is no control "${process.env.CONTROL}"`)
const faults = new Map<string, Fault>()
for (const fault of control.faults) faults.set(await urlOf(fault), fault)

/** Where the module of a fault is. It is not loaded: the program loads it in its own order. */
async function urlOf({ module }: Fault): Promise<string> {
  let url = ''
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      url = next(specifier, context).url
      return { url: 'data:text/javascript,', shortCircuit: true }
    },
  })
  await module()
  hooks.deregister()
  return url
}

const becomes = (url: string, real: never) => (process.env.CONTROL_HARMLESS ? real : faults.get(url)?.becomes(real))
Object.assign(globalThis, { [Symbol.for('kitlane.fault')]: becomes })

registerHooks({
  load(url, context, next) {
    const point = faults.get(url)?.point
    if (!point) return next(url, context)
    const [place, real] = [JSON.stringify(url), JSON.stringify(`${url}?real`)]
    const source = `
      import { ${point} as real } from ${real}
      export * from ${real}
      export const ${point} = globalThis[Symbol.for('kitlane.fault')](${place}, real)`
    return { format: 'module', source, shortCircuit: true }
  },
})
