// Rectangles of a map.

export interface Size { w: number; h: number }
export interface Box extends Size { x: number; y: number }
