import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'

/** One page: its path below the frame (`/orders/$orderID`) and how its code is fetched, so that the first load stays small. */
export interface Page {
  path: string
  load: () => Promise<ComponentType>
}

export function lazyPage(load: Page['load']) {
  return lazyRouteComponent(async () => ({ page: await load() }), 'page')
}
