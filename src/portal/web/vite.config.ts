// Builds the page to static files; while developing, /api is passed on to a running world (REELM=http://127.0.0.1:7790).
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type ProxyOptions } from 'vite';

const world = process.env['REELM'] ?? 'http://127.0.0.1:7790';

const passed: ProxyOptions = {
  target: world,
  changeOrigin: true,
  // The server checks Origin; here the page and the world have two.
  configure: (proxy) => proxy.on('proxyReq', (request) => request.setHeader('origin', world)),
};
const proxy = { '/api': passed, '/health': passed, '/openapi.json': passed };

export default defineConfig({
  plugins: [svelte()],
  base: './',
  build: { target: 'es2022', cssTarget: ['chrome123', 'firefox120', 'safari17.5'], chunkSizeWarningLimit: 900, modulePreload: { polyfill: false } },
  server: { proxy },
  preview: { proxy },
});
