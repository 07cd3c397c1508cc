import ThreadLab
