import ThreadLab

Lab.main()
