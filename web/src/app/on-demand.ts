import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { PageNotLoaded } from '../api/problem.ts'
import { noteUnreached } from '../api/reachability.ts'

/** A part of a page whose code is loaded when it is first shown. Where it cannot be loaded, `Missing` stands in its place. */
export function onDemand<Props>(
  load: () => Promise<ComponentType<Props>>,
  Missing: ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() }
    } catch (cause) {
      noteUnreached(cause)
      return { default: Missing }
    }
  })
}

/** The same for what a page is nothing without: where it cannot be loaded, the page says so. */
export function requiredOnDemand<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() }
    } catch (cause) {
      noteUnreached(cause)
      throw new PageNotLoaded(cause)
    }
  })
}
