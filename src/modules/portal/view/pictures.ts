import { html, type Part } from '../../../platform/http/html.ts'
import type { PanelText } from '../../catalogue/text-schema.ts'

type Picture = PanelText['steps'][number]['picture']

// Lines only, in the text's color: they are seen in light, dark and in print. What they show is said beside them.
const shapes: Record<Exclude<Picture, 'none'>, Part> = {
  leaflet: html`<path d="M14 8h26l10 10v38H14zM40 8v10h10"/><path d="M22 28h20M22 36h20M22 44h12"/>`,
  wash: html`<path d="M12 16h22v8h8a6 6 0 0 1 6 6v4"/><path d="M20 16V8h8v8M12 12v16"/><path class="pic-accent" d="M48 40c4 6 5 8 5 10a5 5 0 0 1-10 0c0-2 1-4 5-10z"/>`,
  sample: html`<path d="M24 8h16M26 8v38a6 6 0 0 0 12 0V8"/><path class="pic-accent" d="M26 28h12v18a6 6 0 0 1-12 0z"/><path d="M42 28h8"/>`,
  label: html`<path d="M20 8h16M22 8v38a6 6 0 0 0 12 0V8"/><path class="pic-accent" d="M22 20h12v16H22z"/><path d="M40 50l3-9 11-15 5 4-11 15z"/>`,
  post: html`<path d="M12 26a10 10 0 0 1 20 0v26H12z"/><path d="M22 16h22a10 10 0 0 1 10 10v26H32"/><path class="pic-accent" d="M36 30h12M42 24l6 6-6 6"/><path d="M28 52v8"/>`,
}

/** A drawing for a step; nothing where the step has none. */
export const pictureOf = (picture: Picture): Part =>
  picture === 'none' ? null : html`<svg class="picture" viewBox="0 0 64 64" aria-hidden="true">${shapes[picture]}</svg>`
