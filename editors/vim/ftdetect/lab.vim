autocmd BufRead,BufNewFile *.lab setfiletype lab
