// Sets the theme before anything is painted, and follows the system.
(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    let theme = 'system';
    try {
      theme = JSON.parse(localStorage.getItem('gomoku.settings'))?.theme ?? theme;
    } catch {}
    if (theme !== 'light' && theme !== 'dark') theme = dark.matches ? 'dark' : 'light';
    document.documentElement.dataset.theme = theme;
  };
  apply();
  dark.addEventListener('change', apply);
  addEventListener('gomoku-theme', apply);
})();
