/** The way to a room. */

export const linkTo = (room: string): string => `${location.origin}${location.pathname}#/room/${room}`
