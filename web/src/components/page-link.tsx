import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** A link to a page of the dashboard, in the look of the theme. */
export const PageLink = createLink((props: AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>) => (
  <Anchor {...props} />
))
