import ThreadLabCommandLine

Lab.main()
